import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { apiRoutes } from '@uprez/contracts/endpoints/routes-api';
import type { SessionView } from '@uprez/contracts/schemas/account';
import clsx from 'clsx';
import { type ReactNode, useEffect, useRef } from 'react';
import { useLocation } from 'react-router';
import { QueryView, Skeleton } from '../../ui/feedback/query-view.tsx';
import { accountMessages } from './messages.ts';

/** Sections of the account page, in display order. Each ID is also the section's anchor. */
export type AccountSectionId = keyof typeof accountMessages.parts;
export const accountSectionIds = Object.keys(accountMessages.parts) as AccountSectionId[];

type AccountSectionProps = { part: AccountSectionId; state?: ReactNode; danger?: boolean; children: ReactNode };

/** A section of the account page. Its heading takes the focus when a link leads to its anchor. */
export function AccountSection({ part, state, danger = false, children }: AccountSectionProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const location = useLocation();
  const headingId = `${part}-heading`;
  useEffect(() => {
    if (location.hash === `#${part}`) heading.current?.focus();
  }, [location, part]);
  return (
    <section
      id={part}
      aria-labelledby={headingId}
      className={clsx(
        'grid grid-cols-[minmax(0,1fr)] gap-4 rounded-card border bg-surface p-5 sm:p-7',
        danger ? 'border-danger' : 'border-line',
      )}
    >
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <h2 ref={heading} id={headingId} tabIndex={-1} className="scroll-mt-24 text-lg outline-none">
          {accountMessages.parts[part]}
        </h2>
        {state}
      </div>
      {children}
    </section>
  );
}

export const sessionsKey = [apiRoutes.listSessions.path] as const;

/** Reads the user's sessions. Refetches them on every visit, and doesn't cache them for the next user. */
export const useSessions = () => useQuery<SessionView[]>({ queryKey: sessionsKey, gcTime: 0 });

type AccountListProps<T> = { query: UseQueryResult<T[]>; label: string; children: (row: T) => ReactNode };

export function AccountList<T>({ query, label, children }: AccountListProps<T>) {
  return (
    <QueryView query={query} skeleton={<Skeleton className="h-16" />} empty={null}>
      {(rows) => (
        <ul aria-label={label} aria-live="polite" className="divide-y divide-line border-line border-y">
          {rows.map(children)}
        </ul>
      )}
    </QueryView>
  );
}

export function AccountListRow({ title, facts, action }: { title: ReactNode; facts: ReactNode; action: ReactNode }) {
  return (
    <li className="flex items-center justify-between gap-4 py-3">
      <div className="min-w-0 wrap-anywhere">
        <p className="font-medium text-sm">{title}</p>
        <p className="text-muted text-sm">{facts}</p>
      </div>
      {action}
    </li>
  );
}
