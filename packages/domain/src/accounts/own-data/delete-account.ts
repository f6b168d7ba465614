import { AppError } from '@uprez/contracts/errors/app-error';
import { limits } from '@uprez/contracts/policy/limits';
import type { Tx } from '@uprez/db/database';
import { lockStayingAdmins, setAccountEnd } from '@uprez/db/queries/accounts/account-ends';
import type { SessionUser } from '@uprez/db/queries/accounts/sessions';
import { findUser } from '@uprez/db/queries/accounts/users';
import type { Needs } from '../../context.ts';
import { queueMail } from '../../mails/queue-mail.ts';
import { endOtherSessions } from '../end-other-sessions.ts';
import { type OwnerProof, proveOwner } from '../prove-owner.ts';

/** `sessionSecret`: the new one of the session that asked. */
export type AskedDeletion = { deletesAt: Date; sessionSecret: string };

const dayS = 86_400;

/**
 * Let the user's account end after the days that the limits give, during which it works and can be kept; the other
 * devices are signed out. Asking again answers the same time. Throws `own_account` for the only administrator who stays,
 * and what `proveOwner` and `endOtherSessions` throw.
 */
export async function deleteAccount(
  ctx: Needs<'db' | 'vault' | 'settings'>,
  { user, ...proof }: { user: SessionUser } & OwnerProof,
): Promise<AskedDeletion> {
  await proveOwner(ctx, { user, ...proof });
  return ctx.db.transaction().execute(async (tx) => {
    if (user.isAdmin && (await isOnlyAdmin(tx, user.id))) throw new AppError('own_account');
    const sessionSecret = await endOtherSessions(tx, user);
    const deletesAt = await setAccountEnd(tx, user.id, limits.deletionDays * dayS);
    if (deletesAt) {
      await queueMail(tx, user.id, { mail: 'deletion_asked', deletesAt: deletesAt.toISOString() });
      return { deletesAt, sessionSecret };
    }
    const known = await findUser(tx, user.id);
    if (!known?.deletesAt) throw new AppError('not_signed_in');
    return { deletesAt: known.deletesAt, sessionSecret };
  });
}

async function isOnlyAdmin(tx: Tx, userId: string): Promise<boolean> {
  return (await lockStayingAdmins(tx)).every((id) => id === userId);
}
