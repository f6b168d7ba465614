import { AppError } from '@uprez/contracts/errors/app-error';
import { type AdminUserRow, findAdminUser } from '@uprez/db/queries/accounts/admin-users';
import { insertAudit } from '@uprez/db/queries/audit/audit-log';
import { readLinkWaitS } from '../../accounts/change-email.ts';
import { queueVerificationMail } from '../../accounts/register-account.ts';
import type { Needs } from '../../context.ts';
import { lockActorAndUser, requireRoleNotAbove, toAuditFields } from '../administrator.ts';
import type { AdminChange } from '../change-user.ts';

const alreadyConfirmedDetail = 'This user has confirmed their email address in the meantime.';
const tooSoonDetail = 'This user was sent a link less than a minute ago. Try again later.';

/**
 * Sends a user another link that confirms their email address. Throws `user_changed` if it's already confirmed,
 * `rate_limited` soon after another link, `role_above_own`, and the errors of `lockActorAndUser`.
 */
export const resendUserVerification = (
  ctx: Needs<'db'>,
  { admin, userId, reason }: AdminChange,
): Promise<AdminUserRow> =>
  ctx.db.transaction().execute(async (tx) => {
    const { actor, user } = await lockActorAndUser(tx, admin, userId);
    requireRoleNotAbove(actor, user.role);
    if (user.emailVerified) throw new AppError('user_changed', { detail: alreadyConfirmedDetail });
    const retryAfterS = await readLinkWaitS(tx, user.id, 'verify_email');
    if (retryAfterS > 0) throw new AppError('rate_limited', { detail: tooSoonDetail, meta: { retryAfterS } });
    await queueVerificationMail(tx, user.id, undefined);
    await insertAudit(tx, {
      ...toAuditFields(admin),
      action: 'user.verification',
      subject: `user:${user.id}`,
      before: { verification: null },
      after: { verification: 'sent' },
      reason,
    });
    const after = await findAdminUser(tx, user.id);
    if (!after) throw new AppError('user_not_found');
    return after;
  });
