import { useQuery } from '@tanstack/react-query';
import type { AdminUserKey } from '@uprez/contracts/schemas/admin-user-details';
import { formatCount } from '@uprez/contracts/texts/format';
import { Badge } from '../../../ui/feedback/badge.tsx';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { QueryView, Skeleton } from '../../../ui/feedback/query-view.tsx';
import { TimeCell } from '../payments/cells.tsx';
import { userMessages } from './messages.ts';
import { type PlainColumn, PlainTable } from './plain-table.tsx';
import { userKeyOf } from './queries.ts';

const text = userMessages.keys;

function StateBadge({ isActive, isExpired }: Pick<AdminUserKey, 'isActive' | 'isExpired'>) {
  if (isExpired) return <Badge kind="neutral">{text.states.expired}</Badge>;
  return <Badge kind={isActive ? 'success' : 'neutral'}>{isActive ? text.states.active : text.states.off}</Badge>;
}

const columns: PlainColumn<AdminUserKey>[] = [
  {
    name: text.key,
    cell: ({ name, keyPreview, kind }) => (
      <span className="grid">
        <span className="font-medium">{name}</span>
        <code className="text-muted text-xs">{keyPreview}</code>
        {kind === 'test' && <span className="text-muted text-xs">{text.test}</span>}
      </span>
    ),
  },
  { name: text.status, cell: (key) => <StateBadge {...key} /> },
  { name: text.scopes, cell: ({ scopes }) => scopes.join(', ') },
  { name: text.calls, cell: ({ usageCount }) => formatCount(usageCount) },
  { name: text.lastUsed, cell: ({ lastUsed }) => (lastUsed ? <TimeCell at={lastUsed} /> : text.never) },
  { name: text.created, cell: ({ createdAt }) => <TimeCell at={createdAt} /> },
];

/** The API keys of a user. */
export function KeysTab({ userId }: { userId: string }) {
  const query = useQuery<AdminUserKey[]>({ queryKey: userKeyOf(userId, 'keys'), refetchOnMount: 'always' });
  return (
    <QueryView
      query={query}
      skeleton={<Skeleton className="h-48 rounded-card" />}
      empty={<EmptyState {...text.empty} />}
    >
      {(rows) => <PlainTable caption={text.caption} columns={columns} rows={rows} rowKey={({ id }) => id} />}
    </QueryView>
  );
}
