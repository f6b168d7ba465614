import type { ReactNode } from 'react';
import { useLocation } from 'react-router';
import { RichText } from './rich-text.tsx';

export type Fact = {
  /** Unique in its list. */
  name: string;
  id?: string;
  /** Below the name: a status, or the allowed values. */
  detail?: ReactNode;
  description: string;
};

/** A list of names and descriptions, in two columns on wide screens. */
export function FactList({ label, facts }: { label: string; facts: readonly Fact[] }) {
  const anchor = useLocation().hash.slice(1);
  return (
    <dl aria-label={label} className="grid text-sm">
      {facts.map(({ name, id, detail, description }) => (
        <div
          key={name}
          id={id}
          aria-current={id && id === anchor ? 'location' : undefined}
          className="-mx-2 grid scroll-mt-20 gap-x-6 gap-y-1 border-line border-t px-2 py-2.5 first:border-t-0 aria-[current]:bg-sunken sm:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]"
        >
          <dt className="min-w-0">
            <span className="wrap-anywhere font-medium font-mono text-[0.8125rem]">{name}</span>
            {detail && <span className="block text-muted text-xs">{detail}</span>}
          </dt>
          <dd className="min-w-0 text-pretty text-muted">
            <RichText>{description}</RichText>
          </dd>
        </div>
      ))}
    </dl>
  );
}
