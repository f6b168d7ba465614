import { AppError } from '@uprez/contracts/errors/app-error';
import type { SessionUser } from '@uprez/db/queries/accounts/sessions';
import { enforceTwoFactor, replaceRecoveryCodes } from '@uprez/db/queries/accounts/two-factor';
import type { Needs } from '../context.ts';
import { queueMail } from '../mails/queue-mail.ts';
import { countAttempt, proofSubject, refundAttempt } from './attempts.ts';
import { endOtherSessions } from './sessions.ts';
import { hashRecoveryCode, makeRecoveryCodes } from './two-factor/recovery-codes.ts';
import { bareCode, findTotpStep, twoFactorPurpose } from './two-factor/totp.ts';

/** `sessionSecret`: the new secret of the current session. */
export type Enabled = { recoveryCodes: string[]; sessionSecret: string };

/**
 * Turn two-factor on, proved by a code, and sign out other devices. Throws `email_unverified`, `two_factor_state` when
 * nothing was set up or it is on, `bad_two_factor_code`, and `too_many_attempts`.
 */
export async function enableTwoFactor(
  ctx: Needs<'db' | 'vault' | 'settings'>,
  { user, code }: { user: SessionUser; code: string },
): Promise<Enabled> {
  if (!user.emailVerified) throw new AppError('email_unverified');
  const sealed = user.twoFactorSecret;
  if (sealed === null || user.twoFactorAt !== null) throw new AppError('two_factor_state');
  const subject = proofSubject(user.id);
  await countAttempt(ctx, subject);
  const secret = ctx.vault.unseal(sealed, twoFactorPurpose(user.id));
  const step = await findTotpStep(ctx, { secret, bare: bareCode(code) });
  if (step === undefined) throw new AppError('bad_two_factor_code');
  await refundAttempt(ctx.db, subject);
  const recoveryCodes = makeRecoveryCodes();
  return ctx.db.transaction().execute(async (tx) => {
    const at = await enforceTwoFactor(tx, { userId: user.id, secret: sealed, step });
    if (!at) throw new AppError('two_factor_state');
    await replaceRecoveryCodes(tx, user.id, recoveryCodes.map(hashRecoveryCode));
    const sessionSecret = await endOtherSessions(tx, user);
    await queueMail(tx, user.id, { mail: 'two_factor_changed', isOn: true, at: at.toISOString() });
    return { recoveryCodes, sessionSecret };
  });
}
