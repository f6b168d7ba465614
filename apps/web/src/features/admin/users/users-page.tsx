import { type ColumnOf, tables } from '@uprez/contracts/policy/admin/tables';
import { currentPlans } from '@uprez/contracts/policy/plans/plans';
import type { AdminUser } from '@uprez/contracts/schemas/admin/users';
import type { User } from '@uprez/contracts/schemas/user';
import { adminPages } from '@uprez/contracts/texts/admin/admin-pages';
import { formatCount, formatDay, pluralize } from '@uprez/contracts/texts/format';
import { UserPlus } from 'lucide-react';
import { useRef, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { describeError, ShownError } from '../../../lib/api/api-errors.ts';
import { formatDate } from '../../../lib/format/format.ts';
import { buttonStyle } from '../../../ui/controls/button.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { ActionsMenu } from '../../../ui/overlays/menu.tsx';
import { adminApi, shouldRetryAdminQuery } from '../admin-api.ts';
import { AdminPage } from '../frame/admin-page.tsx';
import { userPath } from '../frame/admin-paths.ts';
import { useHasPermission, useOwnUser } from '../frame/use-own-user.ts';
import { adminMessages } from '../messages.ts';
import { callEach, type Failure } from '../table/bulk-bar.tsx';
import { DataTable } from '../table/data-table.tsx';
import { type Column, useTable } from '../table/use-table.ts';
import { dialogMessages } from './dialog-messages.ts';
import { userMessages, userTableMessages } from './messages.ts';
import { useListedUser } from './queries.ts';
import { actionIcons, dangerousActions, listActions, nameAuthor, type UserAction } from './user-actions.ts';
import { UserCell } from './user-cell.tsx';
import { ReasonDialog, UserDialog } from './user-dialogs.tsx';

const text = userMessages.list;

export function UsersPage() {
  const own = useOwnUser();
  const mayAdd = useHasPermission('users.manage');
  const addLink = (
    <Link to={adminPages.newUser} className={buttonStyle()}>
      <UserPlus aria-hidden="true" strokeWidth={1.75} className="size-4" />
      {text.add}
    </Link>
  );
  return (
    <AdminPage title={text.title} subtitle={text.subtitle} actions={mayAdd && addLink}>
      {own && <UserList own={own} />}
    </AdminPage>
  );
}

const shared = userTableMessages;

const PlanCell = ({ user }: { user: AdminUser }) => (
  <span className="grid">
    {currentPlans[user.subscriptionTier].name}
    {user.subscriptionEndsAt && (
      <span className="text-muted text-xs">{text.override(formatDay(user.subscriptionEndsAt))}</span>
    )}
  </span>
);

const columns: Column<AdminUser, ColumnOf<'users'>>[] = [
  { id: 'user', name: shared.user, cell: (user) => <UserCell user={user} showsRole /> },
  { id: 'subscription', name: shared.subscription, cell: (user) => <PlanCell user={user} /> },
  {
    id: 'images',
    name: shared.images,
    cell: ({ imagesProcessedThisMonth }) => formatCount(imagesProcessedThisMonth),
    sort: 'images',
    isNumeric: true,
  },
  {
    id: 'calls',
    name: shared.calls,
    cell: ({ apiCallsThisMonth }) => formatCount(apiCallsThisMonth),
    sort: 'calls',
    isNumeric: true,
  },
  {
    id: 'joined',
    name: shared.joined,
    cell: ({ createdAt }) => <span className="whitespace-nowrap text-muted text-xs">{formatDate(createdAt)}</span>,
    sort: 'created',
  },
];

function UserList({ own }: { own: User }) {
  const navigate = useNavigate();
  const [asked, setAsked] = useState<{ action: UserAction; user: AdminUser }>();
  const [bulk, setBulk] = useState<BulkSuspension>();
  const table = useTable(tables.users, {
    load: adminApi.adminListUsers,
    retry: shouldRetryAdminQuery,
  });
  const actionsOf = (user: AdminUser) => {
    const items = listActions(own, user).map((action) => ({
      label: dialogMessages[action].action,
      icon: actionIcons[action],
      danger: dangerousActions.includes(action),
      onSelect: () => setAsked({ action, user }),
    }));
    return items.length > 0 && <ActionsMenu label={adminMessages.table.actions(user.email)} items={items} />;
  };
  const bulkOf = (action: BulkSuspension['action']) => ({
    label: dialogMessages[action].action,
    icon: actionIcons[action],
    run: (users: readonly AdminUser[]) =>
      new Promise<readonly AdminUser[]>((finish) => setBulk({ action, users, finish })).finally(() =>
        setBulk(undefined),
      ),
  });
  const mayManage = own.permissions.includes('users.manage');
  const mayAct = mayManage || own.permissions.includes('grants.create');
  // Uses the currently listed users, because another administrator may have changed them.
  const listed = table.query.data?.pages.flatMap(({ rows }) => rows) ?? [];
  const user = useListedUser(listed, asked?.user);
  const latest = (one: AdminUser) => listed.find(({ id }) => id === one.id) ?? one;
  return (
    <>
      <DataTable
        text={{ ...shared, search: text.search }}
        table={table}
        columns={columns}
        onOpen={({ id }) => void navigate(userPath(id))}
        actions={mayAct ? actionsOf : undefined}
        bulk={mayManage ? [bulkOf('suspend'), bulkOf('restore')] : undefined}
      />
      {asked && user && <UserDialog action={asked.action} user={user} onClose={() => setAsked(undefined)} />}
      {bulk && <BulkSuspendDialog {...bulk} users={bulk.users.map(latest)} />}
    </>
  );
}

/**
 * `users`: the users to suspend or restore, as currently listed. `finish`: ends the bulk action. Takes the users that
 * stay selected.
 */
type BulkSuspension = {
  action: 'suspend' | 'restore';
  users: readonly AdminUser[];
  finish: (left: readonly AdminUser[]) => void;
};

function Failures({ failures, count }: { failures: readonly Failure<AdminUser>[]; count: number }) {
  return (
    <Notice kind="danger">
      <p>{adminMessages.table.bulkFailed(failures.length, count)}</p>
      <ul className="mt-1 grid gap-1">
        {failures.map(({ row, error }) => (
          <li key={row.id}>{`${row.email}: ${describeError(error)}`}</li>
        ))}
      </ul>
    </Notice>
  );
}

/**
 * Suspends or restores several users, one after another, with the same reason. If some fail, stays open and shows them.
 */
function BulkSuspendDialog({ action, users, finish }: BulkSuspension) {
  const text = dialogMessages[action];
  const [failed, setFailed] = useState<{ failures: readonly Failure<AdminUser>[]; count: number }>();
  const isLeft = ({ id }: AdminUser) => !failed || failed.failures.some(({ row }) => row.id === id);
  const left = users.filter(isLeft);
  const latestLeftRef = useRef<readonly AdminUser[]>(left);
  const send = async ({ reason }: { reason: string }) => {
    const suspended = action === 'suspend';
    const failures = await callEach(left, ({ id, suspendedAt }) => {
      const expected = suspendedAt !== null;
      return nameAuthor(adminApi.adminUpdateUser({ params: { id }, body: { suspended, expected, reason } }));
    });
    latestLeftRef.current = failures.map(({ row }) => row);
    setFailed({ failures, count: left.length });
    if (failures.length > 0) throw new ShownError(adminMessages.table.bulkFailed(failures.length, left.length));
  };
  return (
    <ReasonDialog
      text={{
        ...{ title: text.title(pluralize(left.length, 'user')), text: text.description },
        ...{ submit: text.action, pending: text.pending },
      }}
      look={action === 'suspend' ? 'danger' : 'primary'}
      notice={failed && failed.failures.length > 0 && <Failures {...failed} />}
      call={send}
      done={() => text.bulk(left.length)}
      onClose={() => finish(latestLeftRef.current)}
    />
  );
}
