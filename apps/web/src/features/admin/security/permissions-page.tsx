import {
  hasPermission,
  isRoleAbove,
  maxGrantsPerDay,
  type Permission,
  permissions,
  type Role,
  roles,
} from '@uprez/contracts/policy/admin/permissions';
import { type ColumnOf, type TwoFactorState, tables } from '@uprez/contracts/policy/admin/tables';
import type { StaffMember } from '@uprez/contracts/schemas/admin/security';
import type { User } from '@uprez/contracts/schemas/user';
import { adminPages } from '@uprez/contracts/texts/admin/admin-pages';
import { pluralize } from '@uprez/contracts/texts/format';
import { Check, Minus, UserCog, UserPlus } from 'lucide-react';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { formatDate } from '../../../lib/format/format.ts';
import { buttonStyle } from '../../../ui/controls/button.tsx';
import { Badge } from '../../../ui/feedback/badge.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { ActionsMenu } from '../../../ui/overlays/menu.tsx';
import { adminApi } from '../admin-api.ts';
import { AdminPage } from '../frame/admin-page.tsx';
import { userPath } from '../frame/admin-paths.ts';
import { SecurityTabs } from '../frame/page-tabs.tsx';
import { useHasPermission, useOwnUser } from '../frame/use-own-user.ts';
import { adminMessages } from '../messages.ts';
import { TimeCell } from '../payments/cells.tsx';
import { permissionNames } from '../permission-names.ts';
import { DataTable } from '../table/data-table.tsx';
import { type Column, useTable } from '../table/use-table.ts';
import { dialogMessages } from '../users/dialog-messages.ts';
import { type PlainColumn, PlainTable } from '../users/plain-table.tsx';
import { nameOf, UserCell } from '../users/user-cell.tsx';
import { RoleDialog } from '../users/user-dialogs.tsx';

const twoFactor: Record<TwoFactorState, string> = { on: 'On', off: 'Off' };

const text = {
  title: 'Permissions',
  subtitle: 'What each role may do, and who has it',
  invite: 'Invite',
  matrix: {
    title: 'Roles',
    caption: 'Permissions of each role',
    permission: 'Permission',
    yes: 'Yes',
    no: 'No',
    perDay: (credits: number) => `${pluralize(credits, 'credit')} per day`,
  },
  staff: {
    title: 'Administrators',
    search: 'Search by name or email',
    filters: {
      twoFactor: {
        label: 'Two-factor authentication',
        all: 'Two-factor: all',
        names: { on: 'Two-factor on', off: 'Two-factor off' },
      },
    },
    person: 'Administrator',
    role: 'Role',
    seen: 'Last Seen',
    twoFactor: 'Two-factor',
    twoFactorStates: twoFactor,
    joined: 'Joined',
    never: 'Never',
    empty: { title: 'No administrators', text: 'Invite a person to give them a role.' },
  },
} as const;

export function PermissionsPage() {
  const own = useOwnUser();
  const mayInvite = useHasPermission('users.manage');
  const inviteLink = (
    <Link to={adminPages.newUser} className={buttonStyle()}>
      <UserPlus aria-hidden="true" strokeWidth={1.75} className="size-4" />
      {text.invite}
    </Link>
  );
  return (
    <AdminPage title={text.title} subtitle={text.subtitle} actions={mayInvite && inviteLink}>
      <SecurityTabs />
      {own && <StaffList own={own} />}
      <RoleMatrix />
    </AdminPage>
  );
}

const staffText = text.staff;

const staffColumns: Column<StaffMember, ColumnOf<'staff'>>[] = [
  { id: 'person', name: staffText.person, cell: (row) => <UserCell user={{ ...row, isAdmin: true }} /> },
  { id: 'role', name: staffText.role, cell: ({ role }) => adminMessages.roles[role] },
  {
    id: 'seen',
    name: staffText.seen,
    cell: ({ lastSeenAt }) => (lastSeenAt ? <TimeCell at={lastSeenAt} /> : staffText.never),
    sort: 'seen',
  },
  {
    id: 'twoFactor',
    name: staffText.twoFactor,
    cell: ({ twoFactorEnabled: isOn }) => (
      <Badge kind={isOn ? 'success' : 'warning'}>{staffText.twoFactorStates[isOn ? 'on' : 'off']}</Badge>
    ),
  },
  {
    id: 'joined',
    name: staffText.joined,
    cell: ({ createdAt }) => <span className="whitespace-nowrap text-muted text-xs">{formatDate(createdAt)}</span>,
    sort: 'joined',
  },
];

/** Table of administrators. The role of another administrator can be changed unless it is above one's own. */
function StaffList({ own }: { own: User }) {
  const navigate = useNavigate();
  const [asked, setAsked] = useState<StaffMember>();
  const table = useTable(tables.staff, {
    load: adminApi.adminListStaff,
  });
  // Reads the administrator from the current list, because another administrator may have changed the role.
  const listed = table.query.data?.pages.flatMap(({ rows }) => rows).find(({ id }) => id === asked?.id);
  const person = listed ?? asked;
  const actionsOf = (row: StaffMember) =>
    row.id !== own.id &&
    !isRoleAbove(row.role, own.role) && (
      <ActionsMenu
        label={adminMessages.table.actions(row.email)}
        items={[{ label: dialogMessages.role.action, icon: UserCog, onSelect: () => setAsked(row) }]}
      />
    );
  return (
    <>
      <DataTable
        text={{ ...staffText, caption: staffText.title }}
        filterTexts={staffText.filters}
        table={table}
        columns={staffColumns}
        onOpen={({ id }) => void navigate(userPath(id))}
        actions={actionsOf}
      />
      {asked && person && <RoleDialog user={person} name={nameOf(person)} onClose={() => setAsked(undefined)} />}
    </>
  );
}

const matrixText = text.matrix;

const iconProps = { role: 'img', strokeWidth: 1.75, className: 'size-4' } as const;

function PermissionCell({ role, permission }: { role: Role; permission: Permission }) {
  if (!hasPermission(role, permission))
    return <Minus {...iconProps} aria-label={matrixText.no} className="size-4 text-muted" />;
  const credits = permission === 'grants.create' ? maxGrantsPerDay[role] : undefined;
  return credits === undefined ? <Check {...iconProps} aria-label={matrixText.yes} /> : matrixText.perDay(credits);
}

const columns: PlainColumn<Permission>[] = [
  { name: matrixText.permission, cell: (permission) => permissionNames[permission] },
  ...roles.map((role) => ({
    name: adminMessages.roles[role],
    cell: (permission: Permission) => <PermissionCell role={role} permission={permission} />,
  })),
];

const RoleMatrix = () => (
  <Card title={matrixText.title}>
    <PlainTable caption={matrixText.caption} columns={columns} rows={permissions} rowKey={(permission) => permission} />
  </Card>
);
