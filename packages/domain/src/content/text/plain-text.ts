import { articleLimits } from '@uprez/contracts/policy/articles';

const named: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'", nbsp: ' ' };

/** `name`: of a character reference, without `&` and `;`. */
function toCharacter(name: string): string {
  const [, hex, decimal] = /^#(?:x([0-9a-f]+)|(\d+))$/i.exec(name) ?? [];
  if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16));
  return decimal === undefined ? (named[name] ?? `&${name};`) : String.fromCodePoint(Number(decimal));
}

/** Tags of elements in a line of text. Others separate words. */
const inlineTag = /<\/?(?:a|code|del|em|strong)(?:\s[^>]*)?>/g;

/** The text of HTML that our renderer made. Characters for private use mark matches of searches, so they are left out. */
export const toPlainText = (html: string): string =>
  html
    .replaceAll(inlineTag, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/&(#?\w+);/g, (_, name: string) => toCharacter(name))
    .replaceAll(/[\uE000-\uE002]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();

/** Minutes that it takes to read so many words, at least one. */
export const readingMinutesOf = (words: number): number => Math.max(1, Math.ceil(words / articleLimits.wordsPerMinute));

/** Counts the words of a Markdown text without parsing it, for drafts that change every few seconds. */
export const countWords = (markdown: string): number => markdown.match(/[\p{L}\p{N}][^\s]*/gu)?.length ?? 0;
