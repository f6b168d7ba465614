import { diffLines, diffWordsWithSpace } from 'diff';

/** A part of two compared texts: in both versions, or only in the first (`removed`) or the second (`added`). */
export type TextPart = { kind: 'same' | 'added' | 'removed'; value: string };

/** Timeout of the comparison by words, after which the texts are compared by lines. */
const wordsTimeoutMs = 500;
/** Number of unchanged characters shown on each side of a change. */
const contextLength = 120;

function shorten(value: string, isFirst: boolean, isLast: boolean): string {
  const start = isFirst ? '' : value.slice(0, contextLength);
  const end = isLast ? '' : value.slice(-contextLength);
  return value.length > start.length + end.length ? `${start} … ${end}` : value;
}

/** Compares two versions of a text. Shortens long unchanged parts. */
export function compareTexts(before: string, after: string): TextPart[] {
  const changes = diffWordsWithSpace(before, after, { timeout: wordsTimeoutMs }) ?? diffLines(before, after);
  return changes.map(({ added, removed, value }, index) => {
    if (added) return { kind: 'added', value };
    if (removed) return { kind: 'removed', value };
    return { kind: 'same', value: shorten(value, index === 0, index === changes.length - 1) };
  });
}
