import { AppError } from '@uprez/contracts/errors/app-error';
import { hasPermission, isRoleAbove, type Permission, type Role } from '@uprez/contracts/policy/admin/permissions';
import type { Tx } from '@uprez/db/database';
import { lockUsers, lockUsersAndOwners } from '@uprez/db/queries/accounts/admin-users';
import type { UserRow } from '@uprez/db/queries/accounts/users';
import { isUuid } from '../actor.ts';

/**
 * The administrator who makes a change. `permission`: the permission that the role must include. `requestId`: for the
 * audit log.
 */
export type Administrator = {
  accountId: string;
  address: string | undefined;
  permission: Permission;
  requestId?: string | undefined;
};

/** Returns the audit columns that record who made a change, and from where. */
export const toAuditFields = ({ accountId: actorId, address, requestId }: Administrator) => ({
  actorId,
  address,
  requestId,
});

/** Throws `admin_only` without a role, and `permission_missing` if the role doesn't include the permission. */
export function requirePermission(role: Role | null, permission: Permission): asserts role is Role {
  if (role === null) throw new AppError('admin_only');
  if (!hasPermission(role, permission)) throw new AppError('permission_missing');
}

/** Locks the account of an administrator and checks it. Throws `not_signed_in` and the errors of `requirePermission`. */
export async function lockAdmin(tx: Tx, admin: Administrator): Promise<LockedAdmin> {
  const [row] = await lockUsers(tx, [admin.accountId]);
  return toActor(row, admin);
}

/**
 * Runs `work`, whose last step may lock an account's row, with the administrator's row locked before or after it. Rows
 * are locked in the order of their IDs, as in other code that locks several accounts. Throws the errors of `lockAdmin`
 * and of `work`.
 */
export async function runWithAdminLock<Result>(
  tx: Tx,
  { admin, accountId }: { admin: Administrator; accountId: string | null },
  work: () => Promise<Result>,
): Promise<Result> {
  const isFirst = accountId === null || admin.accountId < accountId;
  if (isFirst) await lockAdmin(tx, admin);
  const result = await work();
  if (!isFirst) await lockAdmin(tx, admin);
  return result;
}

/** The locked row of an administrator. */
export type LockedAdmin = UserRow & { role: Role };

function toActor(row: UserRow | undefined, { permission }: Administrator): LockedAdmin {
  if (!row || row.suspendedAt) throw new AppError('not_signed_in');
  const { role } = row;
  requirePermission(role, permission);
  return { ...row, role };
}

/**
 * Locks the accounts of an administrator, a user, and the owners, so that administrators make changes one at a time.
 * Throws `user_not_found` and the errors of `lockAdmin`.
 */
export async function lockActorAndUser(
  tx: Tx,
  admin: Administrator,
  userId: string,
): Promise<{ actor: LockedAdmin; user: UserRow }> {
  if (!isUuid(userId)) throw new AppError('user_not_found');
  const held = await lockUsersAndOwners(tx, [admin.accountId, userId]);
  const actor = toActor(
    held.find(({ id }) => id === admin.accountId),
    admin,
  );
  const user = held.find(({ id }) => id === userId.toLowerCase());
  if (!user) throw new AppError('user_not_found');
  return { actor, user };
}

/** Throws `role_above_own` if a role that a user has or will get is above the administrator's. */
export function requireRoleNotAbove(actor: LockedAdmin, role: Role | null): void {
  if (isRoleAbove(role, actor.role)) throw new AppError('role_above_own');
}

/** Throws `own_account` if an account is the administrator's own. IDs in paths may be uppercase. */
export function requireOtherAccount({ accountId }: Pick<Administrator, 'accountId'>, userId: string): void {
  if (userId.toLowerCase() === accountId) throw new AppError('own_account');
}
