import { diffLines, diffWordsWithSpace } from 'diff';

const text = { added: 'Added:', removed: 'Removed:' } as const;

const Part = ({ part: { kind, value } }: { part: TextPart }) => {
  if (kind === 'same') return value;
  const Tag = kind === 'added' ? 'ins' : 'del';
  return (
    <Tag className={kind === 'added' ? 'text-success underline decoration-2' : 'text-danger line-through'}>
      <span className="sr-only">{kind === 'added' ? text.added : text.removed}</span>
      {value}
    </Tag>
  );
};

export const Changes = ({ parts }: { parts: readonly TextPart[] }) => (
  <div className="rounded-control border border-line bg-page p-3 text-sm whitespace-pre-wrap wrap-anywhere">
    {parts.map((part, index) => (
      <Part key={index} part={part} />
    ))}
  </div>
);

/** A part of two compared texts: in both versions, or only in the first (`removed`) or the second (`added`). */
export type TextPart = { kind: 'same' | 'added' | 'removed'; value: string };

/** Timeout for comparing by words. When it expires, the texts are compared by lines. */
const wordsTimeoutMs = 500;
/** Unchanged characters shown on each side of a change. */
const contextLength = 120;

function shortenUnchanged(value: string, isFirst: boolean, isLast: boolean): string {
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
    return { kind: 'same', value: shortenUnchanged(value, index === 0, index === changes.length - 1) };
  });
}
