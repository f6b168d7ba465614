import type { TextPart } from './compare-texts.ts';

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

/** Shows the differences between two texts: removed text is crossed out, added text is underlined. */
export const Changes = ({ parts }: { parts: readonly TextPart[] }) => (
  <div className="rounded-control border border-line bg-page p-3 text-sm whitespace-pre-wrap wrap-anywhere">
    {parts.map((part, index) => (
      <Part key={index} part={part} />
    ))}
  </div>
);
