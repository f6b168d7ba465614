const wordsOf = (text: string) => text.toLowerCase().split(/\s+/).filter(Boolean);

/** How well a label answers what was typed, 0 to 1: every word typed begins a word of it; best in the same order. */
export function match(label: string, search: string): number {
  if (label.toLowerCase().startsWith(search.trim().toLowerCase())) return 1;
  const words = wordsOf(label);
  return wordsOf(search).every((typed) => words.some((word) => word.startsWith(typed))) ? 0.5 : 0;
}
