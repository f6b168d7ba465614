import { Fragment, type ReactNode, useRef } from 'react';
import { CopyButton } from '../controls/copy-button.tsx';
import { useStaticView } from './example-values.ts';
import { highlightJson, type Lines, toPlainText } from './lines.ts';
import { codeMessages as text } from './messages.ts';

const kindStyles: Partial<Record<string, string>> = {
  comment: 'text-muted',
  keyword: 'text-code-keyword',
  string: 'text-code-string',
  'string-expression': 'text-code-string',
  constant: 'text-code-number',
  function: 'text-code-name',
};

type CodePanelProps = { title: ReactNode; name: string; lines: Lines; note?: ReactNode };

export function CodePanel({ title, name, lines, note }: CodePanelProps) {
  const code = useRef<HTMLElement>(null);
  const isStatic = useStaticView() !== undefined;
  return (
    <figure aria-label={name} className="min-w-0 overflow-hidden rounded-card border border-line bg-surface">
      <div className="flex items-center justify-between gap-2 border-line border-b py-1 pr-1 pl-1.5 text-muted text-xs">
        <div className="min-w-0 flex-1">{title}</div>
        {!isStatic && (
          <div className="noscript:hidden">
            <CopyButton text={toPlainText(lines)} label={text.copy(name)} source={code} />
          </div>
        )}
      </div>
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
        className={`scroll-hint max-h-140 overflow-auto p-4 [--hint-ground:var(--surface)] font-mono text-xs leading-relaxed -outline-offset-2 ${lines.length === 1 ? 'whitespace-pre-wrap wrap-anywhere' : ''}`}
      >
        <code ref={code}>
          {lines.map((line, row) => (
            <Fragment key={row}>
              {line.map(([piece, kind = ''], at) =>
                kindStyles[kind] ? (
                  <span key={at} className={kindStyles[kind]}>
                    {piece}
                  </span>
                ) : (
                  piece
                ),
              )}
              {row < lines.length - 1 && '\n'}
            </Fragment>
          ))}
        </code>
      </pre>
      {note && <figcaption className="border-line border-t px-4 py-2.5 text-muted text-xs">{note}</figcaption>}
    </figure>
  );
}

export const PanelTitle = ({ children }: { children: ReactNode }) => <span className="px-2.5 py-1.5">{children}</span>;

export function JsonPanel({ title, value }: { title: string; value: unknown }) {
  return <CodePanel name={title} title={<PanelTitle>{title}</PanelTitle>} lines={highlightJson(value)} />;
}
