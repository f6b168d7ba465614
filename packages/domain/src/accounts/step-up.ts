import { AppError } from '@uprez/contracts/errors/app-error';
import { limits } from '@uprez/contracts/policy/limits';
import { recordStepUp } from '@uprez/db/queries/accounts/sessions';
import type { Needs } from '../context.ts';
import { countGuess, proofSubject, refundGuess } from './guesses.ts';
import { accountTurn } from './password-hash.ts';
import { checkCountedCode, verifyCountedPassword } from './prove-owner.ts';
import type { SignedInUser } from './sessions.ts';

export type StepUpProof = { password?: string | undefined; code?: string | undefined };

/**
 * Lets a session make critical changes for `limits.stepUpMinutes` minutes after its user has entered the password or,
 * with two-factor authentication, a code. Throws `wrong_password`, `bad_two_factor_code`, `too_many_attempts`,
 * `not_signed_in`, or `two_factor_state` for a code if two-factor authentication is off.
 */
export async function stepUp(
  ctx: Needs<'db' | 'settings' | 'vault'>,
  { user, password, code }: { user: SignedInUser } & StepUpProof,
): Promise<void> {
  const subject = proofSubject(user.id);
  if (code !== undefined && user.twoFactorAt === null) throw new AppError('two_factor_state');
  await countGuess(ctx, subject);
  if (code !== undefined) await checkCountedCode(ctx, { user, code, subject });
  else {
    const { id, passwordHash } = user;
    const turn = accountTurn(id);
    const matches = await verifyCountedPassword(ctx, { subject, passwordHash, password: password ?? '', turn });
    if (!matches) throw new AppError('wrong_password');
    await refundGuess(ctx.db, subject);
  }
  if (!(await recordStepUp(ctx.db, user.sessionHash))) throw new AppError('not_signed_in');
}

/** Throws `step_up_required` unless the session was stepped up within the last `limits.stepUpMinutes` minutes. */
export function requireStepUp({ steppedUpS }: Pick<SignedInUser, 'steppedUpS'>): void {
  if (steppedUpS === null || steppedUpS >= limits.stepUpMinutes * 60) throw new AppError('step_up_required');
}
