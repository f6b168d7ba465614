import { AppError } from '@uprez/contracts/errors/app-error';
import type { Tx } from '@uprez/db/database';
import { type AdminUserRow, findAdminUser } from '@uprez/db/queries/accounts/admin-users';
import { deleteUserSessions } from '@uprez/db/queries/accounts/sessions';
import type { UserRow } from '@uprez/db/queries/accounts/users';
import { insertAudit } from '@uprez/db/queries/audit/audit-log';
import { readLinkWaitS } from '../../accounts/change-email.ts';
import { clearGuesses, findLockEnd } from '../../accounts/guesses.ts';
import { queueVerificationMail } from '../../accounts/register-account.ts';
import { getByUuid } from '../../actor.ts';
import type { Needs } from '../../context.ts';
import { lockActorAndUser, requireOtherAccount, requireRoleNotAbove, toAuditFields } from '../administrator.ts';
import type { AdminChange } from '../change-user.ts';

type Audited = { before: Record<string, unknown>; after: Record<string, unknown> };
type AccessWrite = AdminChange & { action: string; write: (tx: Tx, user: UserRow) => Promise<Audited | undefined> };

/** Locks a user, runs `write`, and adds what it returns to the audit log. Returns the user. */
const writeAccess = (ctx: Needs<'db'>, { admin, userId, reason, action, write }: AccessWrite): Promise<AdminUserRow> =>
  ctx.db.transaction().execute(async (tx) => {
    const { actor, user } = await lockActorAndUser(tx, admin, userId);
    requireRoleNotAbove(actor, user.role);
    const audited = await write(tx, user);
    const about = { action, subject: `user:${user.id}`, reason };
    if (audited) await insertAudit(tx, { ...toAuditFields(admin), ...about, ...audited });
    return getByUuid(user.id, () => findAdminUser(tx, user.id), 'user_not_found');
  });

/**
 * Unlocks an account after too many wrong passwords or codes. Does nothing if it isn't locked. Throws `own_account`,
 * `role_above_own`, and the errors of `lockActorAndUser`.
 */
export async function unlockUser(ctx: Needs<'db'>, change: AdminChange): Promise<AdminUserRow> {
  requireOtherAccount(change.admin, change.userId);
  return writeAccess(ctx, {
    ...change,
    action: 'user.unlock',
    write: async (tx, user) => {
      const lockedUntil = await findLockEnd(tx, user.id);
      if (!lockedUntil) return undefined;
      await clearGuesses(tx, user.id);
      return { before: { lockedUntil: lockedUntil.toISOString() }, after: { lockedUntil: null } };
    },
  });
}

/**
 * Ends all sessions of a user. API keys and passkeys remain valid. Throws `own_account`, `role_above_own`, and the
 * errors of `lockActorAndUser`.
 */
export async function signOutUser(ctx: Needs<'db'>, change: AdminChange): Promise<AdminUserRow> {
  requireOtherAccount(change.admin, change.userId);
  return writeAccess(ctx, {
    ...change,
    action: 'user.sign_out',
    write: async (tx, user) => {
      const ended = await deleteUserSessions(tx, user.id);
      return ended > 0 ? { before: { sessions: ended }, after: { sessions: 0 } } : undefined;
    },
  });
}

const alreadyConfirmedDetail = 'This user has confirmed their email address in the meantime.';
const tooSoonDetail = 'This user was sent a link less than a minute ago. Try again later.';

/**
 * Sends a user another link that confirms their email address. Throws `user_changed` if it's already confirmed,
 * `rate_limited` soon after another link, `role_above_own`, and the errors of `lockActorAndUser`.
 */
export const resendUserVerification = (ctx: Needs<'db'>, change: AdminChange): Promise<AdminUserRow> =>
  writeAccess(ctx, {
    ...change,
    action: 'user.verification',
    write: async (tx, user) => {
      if (user.emailVerified) throw new AppError('user_changed', { detail: alreadyConfirmedDetail });
      const retryAfterS = await readLinkWaitS(tx, user.id, 'verify_email');
      if (retryAfterS > 0) throw new AppError('rate_limited', { detail: tooSoonDetail, meta: { retryAfterS } });
      await queueVerificationMail(tx, user.id, undefined);
      return { before: { verification: null }, after: { verification: 'sent' } };
    },
  });
