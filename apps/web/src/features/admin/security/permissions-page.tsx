import {
  grantsPerDay,
  hasPermission,
  type Permission,
  permissions,
  type Role,
  roles,
} from '@uprez/contracts/policy/permissions';
import { adminPages } from '@uprez/contracts/texts/admin-pages';
import { Check, Minus, UserPlus } from 'lucide-react';
import { Link } from 'react-router';
import { buttonStyle } from '../../../ui/controls/button.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { AdminPage } from '../frame/admin-page.tsx';
import { useMay } from '../frame/use-may.ts';
import { useOwnUser } from '../frame/use-own-user.ts';
import { adminMessages } from '../messages.ts';
import { permissionNames } from '../permission-names.ts';
import { type PlainColumn, PlainTable } from '../users/plain-table.tsx';
import { permissionMessages as text } from './permission-messages.ts';
import { SecurityTabs } from './security-tabs.tsx';
import { StaffList } from './staff-list.tsx';

/** The administrators, and what their roles include. */
export function PermissionsPage() {
  const own = useOwnUser();
  const mayInvite = useMay('users.manage');
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

const matrixText = text.matrix;
const icon = { role: 'img', strokeWidth: 1.75, className: 'size-4' } as const;

function PermissionCell({ role, permission }: { role: Role; permission: Permission }) {
  if (!hasPermission(role, permission))
    return <Minus {...icon} aria-label={matrixText.no} className="size-4 text-muted" />;
  const credits = permission === 'grants.create' ? grantsPerDay[role] : undefined;
  return credits === undefined ? <Check {...icon} aria-label={matrixText.yes} /> : matrixText.perDay(credits);
}

const columns: PlainColumn<Permission>[] = [
  { name: matrixText.permission, cell: (permission) => permissionNames[permission] },
  ...roles.map((role) => ({
    name: adminMessages.roles[role],
    cell: (permission: Permission) => <PermissionCell role={role} permission={permission} />,
  })),
];

/** Which role includes which permission. */
const RoleMatrix = () => (
  <Card title={matrixText.title}>
    <PlainTable caption={matrixText.caption} columns={columns} rows={permissions} rowKey={(permission) => permission} />
  </Card>
);
