import { AppError } from '@uprez/contracts/errors/app-error';
import { limits } from '@uprez/contracts/policy/limits';
import { formatWait } from '@uprez/contracts/texts/format';
import { type AttemptRule, findBlockedS, returnAttempts, takeAttempt } from '@uprez/db/queries/accounts/attempts';
import type { Needs } from '../../context.ts';
import { paceSubject } from './subjects.ts';

/**
 * Count a guess of a secret before it is compared, so that guesses sent at once are counted like those sent one by one.
 * `subject`: from `subjects.ts`. Throws `too_many_attempts` with the seconds to wait (`meta.retryAfterS`).
 */
export async function countAttempt(ctx: Needs<'db' | 'settings'>, subject: string): Promise<void> {
  const { maxLoginAttempts, lockoutDuration } = await ctx.settings.read('security');
  const lockoutS = lockoutDuration * 60;
  const policy: AttemptRule = { subject, max: maxLoginAttempts, pauseS: lockoutS, blockS: lockoutS, growth: 2 };
  const paceS = limits.guessMinutes * 60;
  const pace: AttemptRule = {
    subject: paceSubject(subject),
    max: limits.guesses,
    pauseS: paceS,
    blockS: paceS,
    growth: 1,
  };
  if (!(await takeAttempt(ctx.db, policy))) throw await refusal(ctx, subject);
  if (await takeAttempt(ctx.db, pace)) return;
  await returnAttempts(ctx.db, [subject]);
  throw await refusal(ctx, subject);
}

async function refusal(ctx: Needs<'db'>, subject: string): Promise<AppError> {
  const retryAfterS = Math.max(1, await findBlockedS(ctx.db, [subject, paceSubject(subject)]));
  const detail = `Too many attempts. Try again ${formatWait(retryAfterS)}, or reset your password.`;
  return new AppError('too_many_attempts', { detail, meta: { retryAfterS } });
}
