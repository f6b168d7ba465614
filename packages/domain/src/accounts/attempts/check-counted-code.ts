import type { UserRow } from '@uprez/db/queries/users';
import type { Needs } from '../../context.ts';
import { checkTwoFactorCode } from '../two-factor/check-code.ts';
import { giveBackGuess } from './give-back-guess.ts';

export type CountedCode = { user: UserRow; code: string | undefined; subject: string };

/**
 * Check the code of somebody whose password was right, and take the counted guess back unless it was one of the code.
 * Throws `two_factor_required` or `bad_two_factor_code` where two-factor sign-in is on.
 */
export async function checkCountedCode(
  ctx: Needs<'db' | 'vault'>,
  { user, code, subject }: CountedCode,
): Promise<void> {
  const isGuess = user.two_factor_at !== null && code !== undefined;
  if (!isGuess) await giveBackGuess(ctx.db, subject);
  await checkTwoFactorCode(ctx, user, code);
  if (isGuess) await giveBackGuess(ctx.db, subject);
}
