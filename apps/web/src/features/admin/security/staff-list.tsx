import { adminRoutes } from '@uprez/contracts/endpoints/routes-admin';
import { isAbove, roles } from '@uprez/contracts/policy/permissions';
import { type ColumnOf, staffSorts, tableColumns, twoFactorStates } from '@uprez/contracts/policy/tables';
import type { Staff } from '@uprez/contracts/schemas/security/staff';
import type { User } from '@uprez/contracts/schemas/user';
import { UserCog } from 'lucide-react';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { formatDate } from '../../../lib/format/format.ts';
import { Badge } from '../../../ui/feedback/badge.tsx';
import { ActionsMenu } from '../../../ui/overlays/menu.tsx';
import { adminApi } from '../admin-api.ts';
import { userPath } from '../frame/user-path.ts';
import { adminMessages } from '../messages.ts';
import { TimeCell } from '../payments/cells.tsx';
import type { Column } from '../table/column.ts';
import { DataTable } from '../table/data-table.tsx';
import { useTable } from '../table/use-table.ts';
import { dialogMessages } from '../users/dialog-messages.ts';
import { RoleDialog } from '../users/role-dialog.tsx';
import { nameOf, UserCell } from '../users/user-cell.tsx';
import { permissionMessages } from './permission-messages.ts';

const text = permissionMessages.staff;

const columns: Column<Staff, ColumnOf<'staff'>>[] = [
  { id: 'person', name: text.person, cell: (row) => <UserCell user={{ ...row, isAdmin: true }} /> },
  { id: 'role', name: text.role, cell: ({ role }) => adminMessages.roles[role] },
  {
    id: 'seen',
    name: text.seen,
    cell: ({ lastSeenAt }) => (lastSeenAt ? <TimeCell at={lastSeenAt} /> : text.never),
    sort: 'seen',
  },
  {
    id: 'twoFactor',
    name: text.twoFactor,
    cell: ({ twoFactorEnabled: isOn }) => (
      <Badge kind={isOn ? 'success' : 'warning'}>{text.twoFactorStates[isOn ? 'on' : 'off']}</Badge>
    ),
  },
  {
    id: 'joined',
    name: text.joined,
    cell: ({ createdAt }) => <span className="whitespace-nowrap text-muted text-xs">{formatDate(createdAt)}</span>,
    sort: 'joined',
  },
];

/** The administrators. Those who aren't above the own role, and not oneself, can get another role. */
export function StaffList({ own }: { own: User }) {
  const navigate = useNavigate();
  const [asked, setAsked] = useState<Staff>();
  const table = useTable({
    list: adminRoutes.adminListStaff,
    load: adminApi.adminListStaff,
    filters: { role: roles, twoFactor: twoFactorStates },
    sorts: staffSorts,
    columns: tableColumns.staff,
    exports: adminRoutes.adminExportStaff,
  });
  // As it is listed now, because another administrator may have changed it.
  const listed = table.query.data?.pages.flatMap(({ rows }) => rows).find(({ id }) => id === asked?.id);
  const person = listed ?? asked;
  const actionsOf = (row: Staff) =>
    row.id !== own.id &&
    !isAbove(row.role, own.role) && (
      <ActionsMenu
        label={adminMessages.table.actions(row.email)}
        items={[{ label: dialogMessages.role.action, icon: UserCog, onSelect: () => setAsked(row) }]}
      />
    );
  return (
    <>
      <DataTable
        caption={text.title}
        search={text.search}
        filterTexts={text.filters}
        table={table}
        columns={columns}
        empty={text.empty}
        onOpen={({ id }) => void navigate(userPath(id))}
        actions={actionsOf}
      />
      {asked && person && <RoleDialog user={person} name={nameOf(person)} onClose={() => setAsked(undefined)} />}
    </>
  );
}
