import { AppError } from '@uprez/contracts/errors/app-error';
import { type AdminUserRow, findAdminUser } from '@uprez/db/queries/accounts/admin-users';
import { deleteUserSessions } from '@uprez/db/queries/accounts/sessions';
import { insertAudit } from '@uprez/db/queries/audit/audit-log';
import { clearGuesses, findLockEnd } from '../../accounts/guesses.ts';
import type { Needs } from '../../context.ts';
import { lockActorAndUser, requireOtherAccount, requireRoleNotAbove, toAuditFields } from '../administrator.ts';
import type { AdminChange } from '../change-user.ts';

/**
 * Unlocks an account after too many wrong passwords or codes. Does nothing if it isn't locked. Throws `own_account`,
 * `role_above_own`, and the errors of `lockActorAndUser`.
 */
export async function unlockUser(ctx: Needs<'db'>, { admin, userId, reason }: AdminChange): Promise<AdminUserRow> {
  requireOtherAccount(admin, userId);
  return ctx.db.transaction().execute(async (tx) => {
    const { actor, user } = await lockActorAndUser(tx, admin, userId);
    requireRoleNotAbove(actor, user.role);
    const lockedUntil = await findLockEnd(tx, user.id);
    const about = { action: 'user.unlock', subject: `user:${user.id}`, reason };
    const change = { before: { lockedUntil: lockedUntil?.toISOString() ?? null }, after: { lockedUntil: null } };
    if (lockedUntil) {
      await clearGuesses(tx, user.id);
      await insertAudit(tx, { ...toAuditFields(admin), ...about, ...change });
    }
    const after = await findAdminUser(tx, user.id);
    if (!after) throw new AppError('user_not_found');
    return after;
  });
}

/**
 * Ends all sessions of a user. API keys and passkeys remain valid. Throws `own_account`, `role_above_own`, and the
 * errors of `lockActorAndUser`.
 */
export async function signOutUser(ctx: Needs<'db'>, { admin, userId, reason }: AdminChange): Promise<AdminUserRow> {
  requireOtherAccount(admin, userId);
  return ctx.db.transaction().execute(async (tx) => {
    const { actor, user } = await lockActorAndUser(tx, admin, userId);
    requireRoleNotAbove(actor, user.role);
    const ended = await deleteUserSessions(tx, user.id);
    const facts = { ...toAuditFields(admin), action: 'user.sign_out', subject: `user:${user.id}`, reason };
    if (ended > 0) await insertAudit(tx, { ...facts, before: { sessions: ended }, after: { sessions: 0 } });
    const after = await findAdminUser(tx, user.id);
    if (!after) throw new AppError('user_not_found');
    return after;
  });
}
