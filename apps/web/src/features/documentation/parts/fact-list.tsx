import clsx from 'clsx';
import type { ReactNode } from 'react';
import { useLocation } from 'react-router';
import { RichText } from './rich-text.tsx';

export type Fact = {
  /** Unique in the list. Shown as code unless `plain`. */
  name: string;
  /** Anchor of the row. */
  id?: string;
  /** Shown next to the name: a status code, or allowed values. */
  detail?: ReactNode;
  says: string;
};

/** Names and descriptions: a table, or stacked on small screens. */
export function FactList({ label, facts, plain = false }: { label: string; facts: readonly Fact[]; plain?: boolean }) {
  const place = useLocation().hash.slice(1);
  return (
    <dl aria-label={label} className="grid text-sm">
      {facts.map(({ name, id, detail, says }) => (
        <div
          key={name}
          id={id}
          aria-current={id && id === place ? 'location' : undefined}
          className="-mx-2 grid scroll-mt-20 gap-x-6 gap-y-1 border-line border-t px-2 py-2.5 first:border-t-0 aria-[current]:bg-sunken sm:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]"
        >
          <dt className="min-w-0">
            <span className={clsx('wrap-anywhere', plain ? 'font-medium' : 'font-medium font-mono text-[0.8125rem]')}>
              {name}
            </span>
            {detail && <span className="block text-muted text-xs">{detail}</span>}
          </dt>
          <dd className="min-w-0 text-pretty text-muted">
            <RichText>{says}</RichText>
          </dd>
        </div>
      ))}
    </dl>
  );
}
