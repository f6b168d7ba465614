import { AppError } from '@uprez/contracts/errors/app-error';
import type { UserRow } from '@uprez/db/queries/accounts/users';
import type { Needs } from '../context.ts';
import { countAttempt, proofSubject, refundAttempt } from './attempts.ts';
import { verifyPassword } from './password-hash.ts';
import { checkTwoFactorCode } from './two-factor/check-code.ts';

export type OwnerProof = { password: string; code?: string | undefined };

/**
 * Check the password and code of a signed-in user. Throws `wrong_password`, `too_many_attempts`, or a two-factor error.
 */
export async function proveOwner(
  ctx: Needs<'db' | 'settings' | 'vault'>,
  { user, password, code }: { user: UserRow } & OwnerProof,
): Promise<void> {
  const subject = proofSubject(user.id);
  await countAttempt(ctx, subject);
  if (!(await verifyPassword(user.passwordHash, password))) throw new AppError('wrong_password');
  await checkCountedCode(ctx, { user, code, subject });
}

export type CountedCode = { user: UserRow; code: string | undefined; subject: string };

/**
 * Check the code after the password, and refund the counted guess unless the code was wrong: people submit forms twice.
 * Throws `two_factor_required` or `bad_two_factor_code`.
 */
export async function checkCountedCode(ctx: Needs<'db' | 'vault'>, { user, code, subject }: CountedCode) {
  const isOn = user.twoFactorAt !== null;
  const checked = isOn && code !== undefined ? await checkTwoFactorCode(ctx, { user, code }) : undefined;
  if (checked !== 'wrong') await refundAttempt(ctx.db, subject);
  if (isOn && checked === undefined) throw new AppError('two_factor_required');
  if (checked === 'wrong' || checked === 'used') throw new AppError('bad_two_factor_code');
}
