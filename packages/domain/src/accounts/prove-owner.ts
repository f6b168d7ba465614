import { AppError } from '@uprez/contracts/errors/app-error';
import { takeRecoveryCode, takeTwoFactorStep } from '@uprez/db/queries/accounts/two-factor';
import type { UserRow } from '@uprez/db/queries/accounts/users';
import type { Needs } from '../context.ts';
import { countGuess, proofSubject, refundGuess } from './guesses.ts';
import { accountTurn, type PasswordComparison, verifyPassword } from './password-hash.ts';
import { findTotpStep, hashRecoveryCode } from './two-factor-codes.ts';

export type OwnerProof = { password: string; code?: string | undefined };

/**
 * Checks a user's password and two-factor code. Throws `wrong_password`, `too_many_attempts`, `two_factor_required`, or
 * `bad_two_factor_code`.
 */
export async function proveOwner(
  ctx: Needs<'db' | 'settings' | 'vault'>,
  { user, password, code }: { user: UserRow } & OwnerProof,
): Promise<void> {
  const subject = proofSubject(user.id);
  await countGuess(ctx, subject);
  const { id, passwordHash } = user;
  const matches = await verifyCountedPassword(ctx, { subject, passwordHash, password, turn: accountTurn(id) });
  if (!matches) throw new AppError('wrong_password');
  await checkCountedCode(ctx, { user, code, subject });
}

/**
 * Checks the two-factor code after the password was correct. Refunds the counted guess unless the code is wrong. A used
 * code isn't counted as wrong, because people submit forms twice. Throws `two_factor_required` or
 * `bad_two_factor_code`.
 */
export async function checkCountedCode(
  ctx: Needs<'db' | 'vault'>,
  { user, code, subject }: { user: UserRow; code: string | undefined; subject: string },
) {
  const isOn = user.twoFactorAt !== null;
  const checked = isOn && code !== undefined ? await checkTwoFactorCode(ctx, { user, code }) : undefined;
  if (checked !== 'wrong') await refundGuess(ctx.db, subject);
  if (isOn && checked === undefined) throw new AppError('two_factor_required');
  if (checked === 'wrong' || checked === 'used') throw new AppError('bad_two_factor_code');
}

/**
 * Checks and uses up an authenticator or recovery code. Returns `passes` if two-factor authentication is off. The
 * caller must limit the number of guesses.
 */
export async function checkTwoFactorCode(ctx: Needs<'db' | 'vault'>, { user, code }: { user: UserRow; code: string }) {
  if (user.twoFactorAt === null || user.twoFactorSecret === null) return 'passes';
  const step = await findTotpStep(ctx, { userId: user.id, sealed: user.twoFactorSecret, code });
  if (step === undefined) return (await takeRecoveryCode(ctx.db, user.id, hashRecoveryCode(code))) ? 'passes' : 'wrong';
  return (await takeTwoFactorStep(ctx.db, { userId: user.id, secret: user.twoFactorSecret, step })) ? 'passes' : 'used';
}

/**
 * Compares a password after the guess was counted for a subject. Refunds the guess if the comparison fails with an
 * error. Throws `service_unavailable` if too many passwords are waiting.
 */
export async function verifyCountedPassword(
  { db }: Needs<'db'>,
  { subject, ...compared }: PasswordComparison & { subject: string },
): Promise<boolean> {
  try {
    return await verifyPassword(compared);
  } catch (error) {
    await refundGuess(db, subject);
    throw error;
  }
}
