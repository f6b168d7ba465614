import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { routes } from '@uprez/contracts/endpoints/routes';
import type { SessionView } from '@uprez/contracts/schemas/account';
import type { ReactNode } from 'react';
import { QueryView } from '../../ui/feedback/query-view.tsx';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';

export const sessionsKey = [routes.listSessions.path] as const;

/** The sessions of the user. Refetched on every visit, and not cached for the next user. */
export const useSessions = () => useQuery<SessionView[]>({ queryKey: sessionsKey, gcTime: 0 });

type AccountListProps<T> = { query: UseQueryResult<T[]>; label: string; children: (row: T) => ReactNode };

/** A list of the account, read out politely when it changes. Shows loading and error states. */
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
