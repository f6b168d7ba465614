import { AppError } from '@uprez/contracts/errors/app-error';
import type { Tx } from '@uprez/db/database';
import { type AdminUserRow, findAdminUser, lockUsers } from '@uprez/db/queries/accounts/admin-users';
import { insertAudit } from '@uprez/db/queries/accounts/audits';
import type { UserRow } from '@uprez/db/queries/accounts/users';
import { changedFields } from '../audit/changed-fields.ts';
import type { Needs } from '../context.ts';
import { isUuid } from '../jobs/is-uuid.ts';
import { type Administrator, requireActiveAdmin } from './administrator.ts';

export type UserChange = {
  userId: string;
  /** What the audit trail calls it. */
  action: string;
  reason: string | undefined;
  /** The audited fields of a row. */
  fieldsOf: (user: UserRow) => Record<string, unknown>;
  change: (tx: Tx, user: UserRow) => Promise<unknown>;
};

/**
 * Change an account as an administrator, with a row in the audit trail in the same transaction; a write that changes
 * nothing leaves none. Both accounts are held, so that two administrators who write about each other take turns.
 * Throws `user_not_found`, and what `requireActiveAdmin` does.
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
