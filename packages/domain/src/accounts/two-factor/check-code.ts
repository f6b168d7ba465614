import { AppError } from '@uprez/contracts/app-error';
import { takeRecoveryCode } from '@uprez/db/queries/recovery-codes';
import { takeTwoFactorStep } from '@uprez/db/queries/two-factor';
import type { UserRow } from '@uprez/db/queries/users';
import type { Needs } from '../../context.ts';
import { hashRecoveryCode } from './recovery-codes.ts';
import { bareCode, findTotpStep, twoFactorPurpose } from './totp.ts';

/**
 * Use up the code of a user's authenticator app, or a recovery code; nothing where two-factor sign-in is off. Each code
 * passes once, also when it comes many times at once. Throws `two_factor_required` without a code, and
 * `bad_two_factor_code`. Whoever calls limits the guesses.
 */
export async function checkTwoFactorCode(
  ctx: Needs<'db' | 'vault'>,
  user: UserRow,
  code: string | undefined,
): Promise<void> {
  if (user.two_factor_at === null || user.two_factor_secret === null) return;
  if (code === undefined) throw new AppError('two_factor_required');
  const secret = ctx.vault.unseal(user.two_factor_secret, twoFactorPurpose(user.id));
  const step = await findTotpStep(ctx, secret, bareCode(code));
  const passes =
    step === undefined
      ? await takeRecoveryCode(ctx.db, user.id, hashRecoveryCode(code))
      : await takeTwoFactorStep(ctx.db, { userId: user.id, secret: user.two_factor_secret, step });
  if (!passes) throw new AppError('bad_two_factor_code');
}
