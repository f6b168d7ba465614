import {
  grantsPerDay,
  hasPermission,
  type Permission,
  permissions,
  type Role,
  roles,
} from '@uprez/contracts/policy/permissions';
import { Check, Minus } from 'lucide-react';
import { Card } from '../../../ui/layout/card.tsx';
import { adminMessages } from '../messages.ts';
import { permissionNames } from '../permission-names.ts';
import { type PlainColumn, PlainTable } from '../users/plain-table.tsx';
import { permissionMessages } from './permission-messages.ts';

const text = permissionMessages.matrix;
const icon = { role: 'img', strokeWidth: 1.75, className: 'size-4' } as const;

function PermissionCell({ role, permission }: { role: Role; permission: Permission }) {
  if (!hasPermission(role, permission)) return <Minus {...icon} aria-label={text.no} className="size-4 text-muted" />;
  const credits = permission === 'grants.create' ? grantsPerDay[role] : undefined;
  return credits === undefined ? <Check {...icon} aria-label={text.yes} /> : text.perDay(credits);
}

const columns: PlainColumn<Permission>[] = [
  { name: text.permission, cell: (permission) => permissionNames[permission] },
  ...roles.map((role) => ({
    name: adminMessages.roles[role],
    cell: (permission: Permission) => <PermissionCell role={role} permission={permission} />,
  })),
];

/** Which role includes which permission. */
export const RoleMatrix = () => (
  <Card title={text.title}>
    <PlainTable caption={text.caption} columns={columns} rows={permissions} rowKey={(permission) => permission} />
  </Card>
);
