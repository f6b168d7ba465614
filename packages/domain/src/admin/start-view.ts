import { AppError } from '@uprez/contracts/errors/app-error';
import { limits } from '@uprez/contracts/policy/limits';
import { insertView, setSessionView } from '@uprez/db/queries/accounts/account-views';
import type { SessionUser } from '@uprez/db/queries/accounts/sessions';
import { insertAudit } from '@uprez/db/queries/audit/audit-log';
import { uuidv7 } from 'uuidv7';
import type { Needs } from '../context.ts';
import { type Administrator, lockActorAndUser, requireOtherAccount, toAuditFields } from './administrator.ts';

type NewView = { admin: Administrator; session: Pick<SessionUser, 'sessionHash'>; userId: string; reason: string };

/**
 * Lets an administrator's session read as a user for some minutes. Returns when the view ends. Throws `own_account`,
 * `user_is_staff` for administrators, `read_only_view` if the session is already in a view, and the errors of
 * `lockActorAndUser`.
 */
export async function startView(
  ctx: Needs<'db'>,
  { admin, session, userId, reason }: NewView,
): Promise<{ userId: string; endsAt: Date }> {
  requireOtherAccount(admin, userId);
  return ctx.db.transaction().execute(async (tx) => {
    const { actor, user } = await lockActorAndUser(tx, admin, userId);
    if (user.role !== null) throw new AppError('user_is_staff');
    const id = uuidv7();
    const { endsAt } = await insertView(tx, {
      id,
      userId: user.id,
      adminId: actor.id,
      lifeS: limits.viewMinutes * 60,
    });
    if (!(await setSessionView(tx, session.sessionHash, id))) throw new AppError('read_only_view');
    await insertAudit(tx, {
      ...toAuditFields(admin),
      action: 'user.view_as',
      subject: `user:${user.id}`,
      reason,
      before: { viewedUntil: null },
      after: { viewedUntil: endsAt.toISOString() },
    });
    return { userId: user.id, endsAt };
  });
}
