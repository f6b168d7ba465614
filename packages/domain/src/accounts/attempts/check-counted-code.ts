import { AppError } from '@uprez/contracts/errors/app-error';
import type { UserRow } from '@uprez/db/queries/accounts/users';
import type { Needs } from '../../context.ts';
import { checkTwoFactorCode } from '../two-factor/check-code.ts';
import { refundAttempt } from './refund-attempt.ts';

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
