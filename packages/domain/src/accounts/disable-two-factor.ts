import { AppError } from '@uprez/contracts/errors/app-error';
import type { SessionUser } from '@uprez/db/queries/accounts/sessions';
import { clearTwoFactor, replaceRecoveryCodes } from '@uprez/db/queries/accounts/two-factor';
import type { Needs } from '../context.ts';
import { queueMail } from '../mails/queue-mail.ts';
import { type OwnerProof, proveOwner } from './prove-owner.ts';
import { endOtherSessions } from './sessions.ts';

/** Turn two-factor off and sign out other devices; returns the session's new secret. Throws `two_factor_state`. */
export async function disableTwoFactor(
  ctx: Needs<'db' | 'vault' | 'settings'>,
  { user, ...proof }: { user: SessionUser } & OwnerProof,
): Promise<string> {
  if (user.twoFactorAt === null) throw new AppError('two_factor_state');
  await proveOwner(ctx, { user, ...proof });
  return ctx.db.transaction().execute(async (tx) => {
    const at = await clearTwoFactor(tx, user.id);
    if (!at) throw new AppError('two_factor_state');
    await replaceRecoveryCodes(tx, user.id, []);
    const secret = await endOtherSessions(tx, user);
    await queueMail(tx, user.id, { mail: 'two_factor_changed', isOn: false, at: at.toISOString() });
    return secret;
  });
}
