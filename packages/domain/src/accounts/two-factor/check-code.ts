import { takeRecoveryCode, takeTwoFactorStep } from '@uprez/db/queries/accounts/two-factor';
import type { UserRow } from '@uprez/db/queries/accounts/users';
import type { Needs } from '../../context.ts';
import { hashRecoveryCode } from './recovery-codes.ts';
import { bareCode, findTotpStep, twoFactorPurpose } from './totp.ts';

/** Use up an authenticator or recovery code. Passes when two-factor is off. The caller limits the guesses. */
export async function checkTwoFactorCode(ctx: Needs<'db' | 'vault'>, { user, code }: { user: UserRow; code: string }) {
  if (user.twoFactorAt === null || user.twoFactorSecret === null) return 'passes';
  const secret = ctx.vault.unseal(user.twoFactorSecret, twoFactorPurpose(user.id));
  const step = await findTotpStep(ctx, { secret, bare: bareCode(code) });
  if (step === undefined) return (await takeRecoveryCode(ctx.db, user.id, hashRecoveryCode(code))) ? 'passes' : 'wrong';
  return (await takeTwoFactorStep(ctx.db, { userId: user.id, secret: user.twoFactorSecret, step })) ? 'passes' : 'used';
}
