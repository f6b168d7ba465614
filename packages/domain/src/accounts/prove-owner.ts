import { AppError } from '@uprez/contracts/errors/app-error';
import type { UserRow } from '@uprez/db/queries/accounts/users';
import type { Needs } from '../context.ts';
import { countAttempt, proofSubject, refundAttempt } from './attempts.ts';
import { verifyPassword } from './password-hash.ts';
import { checkTwoFactorCode } from './two-factor/check-code.ts';

export type OwnerProof = { password: string; code?: string | undefined };

/**
 * Have whoever is signed in prove to be the account's owner, before what a stolen session must not do. Throws
 * `wrong_password`; where two-factor sign-in is on `two_factor_required` or `bad_two_factor_code`; and
 * `too_many_attempts`.
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
 * Check the code of somebody whose password was right, and take the counted guess back unless it was one of the code. A
 * code that was used before is none: people send forms twice, and apps show a code for half a minute.
 * Throws `two_factor_required` or `bad_two_factor_code` where two-factor sign-in is on.
 */
export async function checkCountedCode(
  ctx: Needs<'db' | 'vault'>,
  { user, code, subject }: CountedCode,
): Promise<void> {
  const isOn = user.twoFactorAt !== null;
  const checked = isOn && code !== undefined ? await checkTwoFactorCode(ctx, { user, code }) : undefined;
  if (checked !== 'wrong') await refundAttempt(ctx.db, subject);
  if (isOn && checked === undefined) throw new AppError('two_factor_required');
  if (checked === 'wrong' || checked === 'used') throw new AppError('bad_two_factor_code');
}
