const wordsOf = (text: string) =>
  text
    .toLowerCase()
    .split(/[\s-]+/)
    .filter(Boolean);

/** How well a label matches a search, from 0 to 1. Every typed word must start a word of the label. */
export function matchScore(label: string, search: string): number {
  if (label.toLowerCase().startsWith(search.trim().toLowerCase())) return 1;
  const words = wordsOf(label);
  return wordsOf(search).every((typed) => words.some((word) => word.startsWith(typed))) ? 0.5 : 0;
}
