import { useQuery } from '@tanstack/react-query';
import type { AdminUserSession } from '@uprez/contracts/schemas/admin-user-details';
import { describeDevice } from '@uprez/contracts/texts/describe-device';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { QueryView, Skeleton } from '../../../ui/feedback/query-view.tsx';
import { TimeCell } from '../payments/cells.tsx';
import { userMessages } from './messages.ts';
import { type PlainColumn, PlainTable } from './plain-table.tsx';
import { userKeyOf } from './queries.ts';

const text = userMessages.devices;

const columns: PlainColumn<AdminUserSession>[] = [
  { name: text.device, cell: ({ userAgent }) => <span className="font-medium">{describeDevice(userAgent)}</span> },
  { name: text.address, cell: ({ address }) => address ?? <span className="text-muted">{text.hidden}</span> },
  { name: text.lastSeen, cell: ({ lastSeenAt }) => <TimeCell at={lastSeenAt} /> },
  { name: text.signedIn, cell: ({ createdAt }) => <TimeCell at={createdAt} /> },
];

/** The devices on which a user is signed in. */
export function DevicesTab({ userId }: { userId: string }) {
  const query = useQuery<AdminUserSession[]>({ queryKey: userKeyOf(userId, 'sessions'), refetchOnMount: 'always' });
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
