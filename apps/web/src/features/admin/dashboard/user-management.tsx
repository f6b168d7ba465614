import { adminRoutes } from '@uprez/contracts/endpoints/routes-admin';
import { currentPlans, type Tier, tiers } from '@uprez/contracts/policy/plans';
import { type ColumnOf, tableColumns, userSorts, userStatuses } from '@uprez/contracts/policy/tables';
import type { AdminUser } from '@uprez/contracts/schemas/admin';
import type { User } from '@uprez/contracts/schemas/user';
import { formatCount } from '@uprez/contracts/texts/format';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { formatDate } from '../../../lib/format/format.ts';
import { Badge } from '../../../ui/feedback/badge.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { adminApi } from '../admin-api.ts';
import { retryAdmin } from '../frame/retry-admin.ts';
import { userPath } from '../frame/user-path.ts';
import type { Column } from '../table/column.ts';
import { DataTable } from '../table/data-table.tsx';
import { useTable } from '../table/use-table.ts';
import { useListedUser } from '../users/queries.ts';
import { userTableMessages as text } from '../users/table-messages.ts';
import { listActions } from '../users/user-actions.ts';
import { UserCell } from '../users/user-cell.tsx';
import { UserDialog } from '../users/user-dialog.tsx';
import { TierSelect } from './tier-select.tsx';

type Ask = (user: AdminUser, tier: Tier) => void;

const columnsFor = (by: User, ask: Ask): Column<AdminUser, ColumnOf<'users'>>[] => [
  { id: 'user', name: text.user, cell: (user) => <UserCell user={user} nameless={text.anonymous} /> },
  {
    id: 'subscription',
    name: text.subscription,
    cell: (user) =>
      listActions(by, user).includes('tier') ? (
        <TierSelect user={user} onAsk={(tier) => ask(user, tier)} />
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
export function UserManagement({ user: own }: { user: User }) {
  const navigate = useNavigate();
  const [asked, setAsked] = useState<{ user: AdminUser; tier: Tier }>();
  const table = useTable({
    list: adminRoutes.adminListUsers,
    load: adminApi.adminListUsers,
    filters: { tier: tiers, status: userStatuses },
    sorts: userSorts,
    columns: tableColumns.users,
    exports: adminRoutes.adminExportUsers,
    retry: retryAdmin,
  });
  // As listed now, because another administrator may have changed them.
  const user = useListedUser(table.query.data?.pages.flatMap(({ rows }) => rows) ?? [], asked?.user);
  return (
    <Card title={text.title}>
      <p className="text-muted text-sm">{text.subtitle}</p>
      <DataTable
        caption={text.caption}
        search={text.search}
        table={table}
        columns={columnsFor(own, (user, tier) => setAsked({ user, tier }))}
        empty={text.empty}
        onOpen={({ id }) => void navigate(userPath(id))}
      />
      {asked && user && <UserDialog action="tier" user={user} tier={asked.tier} onClose={() => setAsked(undefined)} />}
    </Card>
  );
}
