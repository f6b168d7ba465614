const wordsOf = (text: string) =>
  text
    .toLowerCase()
    .split(/[\s-]+/)
    .filter(Boolean);

/** Returns how well a label matches a search, from 0 to 1. Each typed word must be the start of a word in the label. */
export function matchScore(label: string, search: string): number {
  if (label.toLowerCase().startsWith(search.trim().toLowerCase())) return 1;
  const words = wordsOf(label);
  return wordsOf(search).every((typed) => words.some((word) => word.startsWith(typed))) ? 0.5 : 0;
}
