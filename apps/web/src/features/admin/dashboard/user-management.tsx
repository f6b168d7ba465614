import { ApiError } from '@uprez/client/api-error';
import { adminRoutes } from '@uprez/contracts/endpoints/routes-admin';
import { currentPlans, type Tier, tiers } from '@uprez/contracts/policy/plans';
import { type ColumnOf, tableColumns, userSorts, userStatuses } from '@uprez/contracts/policy/tables';
import type { AdminUser } from '@uprez/contracts/schemas/admin';
import type { User } from '@uprez/contracts/schemas/user';
import { formatCount } from '@uprez/contracts/texts/format';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { errorMessage, hasErrorCode, ShownError } from '../../../lib/api/api-errors.ts';
import { useResourceMutation } from '../../../lib/api/use-resource-mutation.ts';
import { formatDate } from '../../../lib/format/format.ts';
import { showToast } from '../../../lib/notifications/toast-store.ts';
import { Select } from '../../../ui/controls/select.tsx';
import { Badge } from '../../../ui/feedback/badge.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { adminApi } from '../admin-api.ts';
import { nameAuthor } from '../frame/name-author.ts';
import { retryAdmin } from '../frame/retry-admin.ts';
import { userPath } from '../frame/user-path.ts';
import type { Column } from '../table/column.ts';
import { DataTable } from '../table/data-table.tsx';
import { useTable } from '../table/use-table.ts';
import { statsKey, useListedUser } from '../users/queries.ts';
import { userTableMessages as text } from '../users/table-messages.ts';
import { describeConflict, describeOutcome } from '../users/tier-dialog.tsx';
import { listActions } from '../users/user-actions.ts';
import { UserCell } from '../users/user-cell.tsx';
import { UserDialog } from '../users/user-dialog.tsx';

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

/** Shows why a tier wasn't changed. The frame handles an ended session, and a canceled dialog needs no message. */
export function showTierError(error: Error): void {
  if (hasErrorCode(error, 'not_signed_in') || hasErrorCode(error, 'step_up_required')) return;
  const description = error instanceof ApiError || error instanceof ShownError ? errorMessage(error) : '';
  showToast({ ...text.failed, ...(description && { description }), destructive: true });
}

/**
 * Changes the tier of a user at once, after the password or a code. It calls `onAsk` instead if the user has another live
 * subscription, or if the present tier has an end.
 */
function TierSelect({ user, onAsk }: { user: AdminUser; onAsk: (tier: Tier) => void }) {
  const change = useResourceMutation({
    call: async (subscriptionTier: Tier) => {
      const expected = { subscriptionTier: user.subscriptionTier, subscriptionEndsAt: user.subscriptionEndsAt };
      const body = { subscriptionTier, expected };
      return (await nameAuthor(adminApi.adminSetTier({ params: { id: user.id }, body }))).data;
    },
    onSuccess: (changed, subscriptionTier) =>
      showToast(describeOutcome({ subscriptionTier, endsAt: '' }, changed) ?? text.updated),
    onError: showTierError,
    invalidates: [[adminRoutes.adminListUsers.path], statsKey],
  });
  const choose = (tier: Tier) => {
    const conflict = describeConflict(user.billedTier, { subscriptionTier: tier, endsAt: '' });
    if (conflict || user.subscriptionEndsAt !== null) onAsk(tier);
    else change.mutate(tier);
  };
  return (
    <span className="inline-block w-40 text-left">
      <Select
        label={text.changeTier(user.email)}
        labelHidden
        value={change.isPending ? change.variables : user.subscriptionTier}
        onChange={choose}
        disabled={change.isPending}
        options={tiers.map((tier) => ({ value: tier, label: currentPlans[tier].name }))}
      />
    </span>
  );
}
