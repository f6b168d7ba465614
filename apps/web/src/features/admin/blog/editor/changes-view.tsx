import type { FieldChange, TextPart } from './list-changes.ts';
import { editorMessages as text } from './messages.ts';

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

/** The differences of two versions: removed text is crossed out, added text is underlined. */
export const ChangesView = ({ changes, legend }: { changes: readonly FieldChange[]; legend: string }) => (
  <div className="grid min-w-0 gap-4">
    <p className="text-muted text-xs">{legend}</p>
    {changes.map(({ label, parts }) => (
      <section key={label} aria-label={label} className="grid min-w-0 gap-1">
        <h3 className="font-medium text-sm">{label}</h3>
        <div className="rounded-control border border-line bg-page p-3 text-sm whitespace-pre-wrap wrap-anywhere">
          {parts.map((part, index) => (
            <Part key={index} part={part} />
          ))}
        </div>
      </section>
    ))}
  </div>
);
