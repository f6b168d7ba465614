import { useQuery } from '@tanstack/react-query';
import type { AdminRejectedImage } from '@uprez/contracts/schemas/admin-user-details';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { QueryView, Skeleton } from '../../../ui/feedback/query-view.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { TimeCell } from '../payments/cells.tsx';
import { userMessages } from './messages.ts';
import { type PlainColumn, PlainTable } from './plain-table.tsx';
import { userKeyOf } from './queries.ts';

const { jobs, rejected: text } = userMessages;

const columns: PlainColumn<AdminRejectedImage>[] = [
  { name: jobs.file, cell: ({ filename }) => filename || text.noName },
  {
    name: text.reason,
    cell: ({ error }) => (
      <span className="grid">
        {error.message}
        <code className="text-muted text-xs">{error.code}</code>
      </span>
    ),
  },
  { name: text.surface, cell: ({ surface }) => jobs.surfaces[surface] },
  { name: text.at, cell: ({ createdAt }) => <TimeCell at={createdAt} /> },
];

/** The latest images of a user that were rejected before they became jobs, with the reasons. */
export function RejectedImages({ userId }: { userId: string }) {
  const query = useQuery<AdminRejectedImage[]>({
    queryKey: userKeyOf(userId, 'rejected-images'),
    refetchOnMount: 'always',
  });
  return (
    <Card title={text.title}>
      <QueryView
        query={query}
        skeleton={<Skeleton className="h-32 rounded-card" />}
        empty={<EmptyState {...text.empty} />}
      >
        {(rows) => <PlainTable caption={text.title} columns={columns} rows={rows} rowKey={({ id }) => id} />}
      </QueryView>
    </Card>
  );
}
