import { articleLimits } from '@uprez/contracts/policy/articles';

const namedCharacters: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'", nbsp: ' ' };

/** `name`: the reference without `&` and `;`. Keeps unknown references. */
function toCharacter(name: string): string {
  const [, hex, decimal] = /^#(?:x([0-9a-f]+)|(\d+))$/i.exec(name) ?? [];
  if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16));
  return decimal === undefined ? (namedCharacters[name] ?? `&${name};`) : String.fromCodePoint(Number(decimal));
}

/** Matches inline tags, which don't separate words. All other tags do. */
const inlineTagPattern = /<\/?(?:a|code|del|em|strong)(?:\s[^>]*)?>/g;

/**
 * Converts HTML from our renderer to plain text. Removes private-use characters, because search results use them to
 * mark matches.
 */
export const toPlainText = (html: string): string =>
  html
    .replaceAll(inlineTagPattern, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/&(#?\w+);/g, (_, name: string) => toCharacter(name))
    .replaceAll(/[\uE000-\uE002]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();

export const readingMinutesOf = (words: number): number => Math.max(1, Math.ceil(words / articleLimits.wordsPerMinute));

/** Counts words without parsing the Markdown, because drafts change every few seconds. */
export const countWords = (markdown: string): number => markdown.match(/[\p{L}\p{N}][^\s]*/gu)?.length ?? 0;
