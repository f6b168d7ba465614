import { adminRoutes } from '@uprez/contracts/endpoints/routes-admin';
import { currentPlans, tiers } from '@uprez/contracts/policy/plans';
import { type ColumnOf, tableColumns, userSorts, userStatuses } from '@uprez/contracts/policy/tables';
import type { AdminUser } from '@uprez/contracts/schemas/admin';
import type { User } from '@uprez/contracts/schemas/user';
import { formatCount } from '@uprez/contracts/texts/format';
import { useNavigate } from 'react-router';
import { formatDate } from '../../../lib/format/format.ts';
import { Badge } from '../../../ui/feedback/badge.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { adminApi } from '../admin-api.ts';
import { userPath } from '../frame/user-path.ts';
import type { Column } from '../table/column.ts';
import { DataTable } from '../table/data-table.tsx';
import { useTable } from '../table/use-table.ts';
import { listActions } from '../users/user-actions.ts';
import { dashboardMessages } from './messages.ts';
import { retryAdmin } from './retry-admin.ts';
import { TierSelect } from './tier-select.tsx';
import { UserCell } from './user-cell.tsx';

const text = dashboardMessages.users;

const columnsFor = (by: User): Column<AdminUser, ColumnOf<'users'>>[] => [
  { id: 'user', name: text.user, cell: (user) => <UserCell user={user} /> },
  {
    id: 'subscription',
    name: text.subscription,
    cell: (user) =>
      listActions(by, user).includes('tier') ? (
        <TierSelect user={user} />
      ) : (
        <Badge kind="neutral">{currentPlans[user.subscriptionTier].name}</Badge>
      ),
  },
  {
    id: 'images',
    name: text.images,
    cell: ({ imagesProcessedThisMonth }) => formatCount(imagesProcessedThisMonth),
    sort: 'images',
    isNumeric: true,
  },
  {
    id: 'calls',
    name: text.calls,
    cell: ({ apiCallsThisMonth }) => formatCount(apiCallsThisMonth),
    sort: 'calls',
    isNumeric: true,
  },
  {
    id: 'joined',
    name: text.joined,
    cell: ({ createdAt }) => (
      <time dateTime={createdAt} className="whitespace-nowrap text-muted text-xs tabular-nums">
        {formatDate(createdAt)}
      </time>
    ),
    sort: 'created',
  },
];

/** All users, with their tier. */
export function UserManagement({ user }: { user: User }) {
  const navigate = useNavigate();
  const table = useTable({
    list: adminRoutes.adminListUsers,
    load: adminApi.adminListUsers,
    filters: { tier: tiers, status: userStatuses },
    sorts: userSorts,
    columns: tableColumns.users,
    exports: adminRoutes.adminExportUsers,
    retry: retryAdmin,
  });
  return (
    <Card title={text.title}>
      <p className="text-muted text-sm">{text.subtitle}</p>
      <DataTable
        caption={text.caption}
        search={text.search}
        table={table}
        columns={columnsFor(user)}
        empty={text.empty}
        onOpen={({ id }) => void navigate(userPath(id))}
      />
    </Card>
  );
}
