import { AppError } from '@uprez/contracts/errors/app-error';
import { hasPermission, isRoleAbove, type Permission, type Role } from '@uprez/contracts/policy/admin/permissions';
import type { Tx } from '@uprez/db/database';
import { lockUsers, lockUsersAndOwners } from '@uprez/db/queries/accounts/admin-users';
import type { UserRow } from '@uprez/db/queries/accounts/users';
import { isUuid } from '../actor.ts';

/**
 * The administrator who makes a change. `permission`: the permission that the administrator's role must include.
 * `requestId`: recorded in the audit log.
 */
export type Administrator = {
  accountId: string;
  address: string | undefined;
  permission: Permission;
  requestId?: string | undefined;
};

export const toAuditFields = ({ accountId: actorId, address, requestId }: Administrator) => ({
  actorId,
  address,
  requestId,
});

/** Throws `admin_only` if the user has no role, and `permission_missing` if the role doesn't include the permission. */
export function requirePermission(role: Role | null, permission: Permission): asserts role is Role {
  if (role === null) throw new AppError('admin_only');
  if (!hasPermission(role, permission)) throw new AppError('permission_missing');
}

/**
 * Locks an administrator's account and checks its permission. Throws `not_signed_in` and the errors of
 * `requirePermission`.
 */
export async function lockAdmin(tx: Tx, admin: Administrator): Promise<LockedAdmin> {
  const [row] = await lockUsers(tx, [admin.accountId]);
  return toActor(row, admin);
}

/**
 * Locks the administrator's row before or after running `work`, which may lock an account's row in its last step. The
 * order depends on the IDs, because all code that locks several accounts locks them in ID order. Throws the errors of
 * `lockAdmin` and of `work`.
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

export type LockedAdmin = UserRow & { role: Role };

function toActor(row: UserRow | undefined, { permission }: Administrator): LockedAdmin {
  if (!row || row.suspendedAt) throw new AppError('not_signed_in');
  const { role } = row;
  requirePermission(role, permission);
  return { ...row, role };
}

/**
 * Locks the accounts of an administrator, a user, and all owners. As a result, administrators make changes one at a
 * time. Throws `user_not_found` and the errors of `lockAdmin`.
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

/** Throws `role_above_own` if a role is above the administrator's own. `role`: a role that the user has or will get. */
export function requireRoleNotAbove(actor: LockedAdmin, role: Role | null): void {
  if (isRoleAbove(role, actor.role)) throw new AppError('role_above_own');
}

/**
 * Throws `own_account` if the account is the administrator's own. Ignores case, because IDs in paths may be uppercase.
 */
export function requireOtherAccount({ accountId }: Pick<Administrator, 'accountId'>, userId: string): void {
  if (userId.toLowerCase() === accountId) throw new AppError('own_account');
}
