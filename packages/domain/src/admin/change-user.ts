import { AppError } from '@uprez/contracts/errors/app-error';
import type { Tx } from '@uprez/db/database';
import { type AdminUserRow, findAdminUser, lockUsers } from '@uprez/db/queries/accounts/admin-users';
import { insertAudit } from '@uprez/db/queries/accounts/audits';
import type { UserRow } from '@uprez/db/queries/accounts/users';
import type { Needs } from '../context.ts';
import { isUuid } from '../is-uuid.ts';

export type UserChange = {
  userId: string;
  action: string;
  reason: string | undefined;
  /** The audited fields of a row. */
  fieldsOf: (user: UserRow) => Record<string, unknown>;
  change: (tx: Tx, user: UserRow) => Promise<unknown>;
};

/**
 * Change an account and record the change in the audit trail. Locks both accounts, so administrators take turns. Throws
 * `user_not_found` and the errors of `requireActiveAdmin`.
 */
export async function changeUser(
  ctx: Needs<'db'>,
  { admin, userId, action, reason, fieldsOf, change }: { admin: Administrator } & UserChange,
): Promise<AdminUserRow> {
  if (!isUuid(userId)) throw new AppError('user_not_found');
  return ctx.db.transaction().execute(async (tx) => {
    const held = await lockUsers(tx, [admin.accountId, userId]);
    requireActiveAdmin(held.find(({ id }) => id === admin.accountId));
    const before = held.find(({ id }) => id === userId.toLowerCase());
    if (!before) throw new AppError('user_not_found');
    await change(tx, before);
    const after = await findAdminUser(tx, userId);
    if (!after) throw new AppError('user_not_found');
    const changed = changedFields(fieldsOf(before), fieldsOf(after));
    const { accountId: actorId, address } = admin;
    if (changed) await insertAudit(tx, { actorId, address, action, subject: `user:${before.id}`, reason, ...changed });
    return after;
  });
}

export type Administrator = { accountId: string; address: string | undefined };

/** Check the locked row of an administrator. Throws `not_signed_in` or `admin_only`. */
export function requireActiveAdmin(row: UserRow | undefined): void {
  if (!row || row.suspendedAt) throw new AppError('not_signed_in');
  if (!row.isAdmin) throw new AppError('admin_only');
}

type Fields = Record<string, unknown>;

/** The fields that differ, as they were and as they are; undefined when none does. */
export function changedFields(before: Fields, after: Fields): { before: Fields; after: Fields } | undefined {
  const names = Object.keys(after).filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
  if (names.length === 0) return undefined;
  const only = (fields: Fields) => Object.fromEntries(names.map((name) => [name, fields[name] ?? null]));
  return { before: only(before), after: only(after) };
}
