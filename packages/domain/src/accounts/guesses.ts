import { createHash } from 'node:crypto';
import { AppError } from '@uprez/contracts/errors/app-error';
import { limits } from '@uprez/contracts/policy/limits';
import { formatWait } from '@uprez/contracts/texts/format';
import type { DbOrTx } from '@uprez/db/database';
import {
  type AttemptRule,
  deleteAttempts,
  findBlockedUntil,
  readBlockedS,
  refundAttempts,
  takeAttempt,
} from '@uprez/db/queries/accounts/attempts';
import { listDeviceHashes } from '@uprez/db/queries/accounts/sessions';
import type { Needs } from '../context.ts';

/** Subject in the `attempts` table that counts password guesses for an account. */
export const accountSubject = (userId: string) => `account:${userId}`;
/** Each known device has its own counter, because guesses from other devices must not lock out the owner. */
export const deviceSubject = (userId: string, deviceHash: Buffer) => `device:${userId}:${deviceHash.toString('hex')}`;
/** Subject for a signed-in user's password and code checks. */
export const proofSubject = (userId: string) => `proof:${userId}`;
export const passkeySubject = (userId: string) => `passkey:${userId}`;
/**
 * Hashed subject for a login that has no account. `folded` must be folded in the same way as an account's login.
 * Otherwise, different spellings would reveal which accounts exist.
 */
export const unknownAccountSubject = (folded: string) => `account:${createHash('sha256').update(folded).digest('hex')}`;

/** Hashed subject for links sent to a mailbox. Accounts and invitations share the counter. */
export const mailboxSubject = (mailbox: string) => `mail:${createHash('sha256').update(mailbox).digest('hex')}`;

/** Subject for a second, fixed limit on guesses, which administrators can't turn off. */
export const rateLimitSubject = (subject: string) => `pace:${subject}`;

/**
 * Counts a guess before it's checked. Calls `onLastAttempt` if this guess starts a lock. Throws `too_many_attempts`
 * with `meta.retryAfterS`.
 */
export async function countGuess(
  ctx: Needs<'db' | 'settings'>,
  subject: string,
  onLastAttempt?: () => void,
): Promise<void> {
  const { maxLoginAttempts, lockoutDuration } = await ctx.settings.read('security');
  const lockoutS = lockoutDuration * 60;
  const policy: AttemptRule = { subject, max: maxLoginAttempts, pauseS: lockoutS, blockS: lockoutS, growth: 2 };
  const paceS = limits.guessMinutes * 60;
  const pace: AttemptRule = {
    subject: rateLimitSubject(subject),
    max: limits.guesses,
    pauseS: paceS,
    blockS: paceS,
    growth: 1,
  };
  if (!(await takeAttempt(ctx.db, policy))) throw await makeAttemptsError(ctx, subject);
  if (await takeAttempt(ctx.db, pace)) {
    if (onLastAttempt && (await readBlockedS(ctx.db, [subject, rateLimitSubject(subject)])) > 0) onLastAttempt();
    return;
  }
  await refundAttempts(ctx.db, [subject]);
  throw await makeAttemptsError(ctx, subject);
}

async function makeAttemptsError(ctx: Needs<'db'>, subject: string): Promise<AppError> {
  const retryAfterS = Math.max(1, await readBlockedS(ctx.db, [subject, rateLimitSubject(subject)]));
  const detail = `Too many attempts. Try again ${formatWait(retryAfterS)}, or reset your password.`;
  return new AppError('too_many_attempts', { detail, meta: { retryAfterS } });
}

/** Refunds a correct guess. Wrong guesses, such as those by others, stay counted. */
export const refundGuess = (db: DbOrTx, subject: string) => refundAttempts(db, [subject, rateLimitSubject(subject)]);

async function listAccountSubjects(db: DbOrTx, userId: string): Promise<string[]> {
  const deviceHashes = await listDeviceHashes(db, userId);
  const subjects = [
    accountSubject(userId),
    proofSubject(userId),
    passkeySubject(userId),
    ...deviceHashes.map((deviceHash) => deviceSubject(userId, deviceHash)),
  ];
  return [...subjects, ...subjects.map(rateLimitSubject)];
}

/**
 * Returns when an account and all of its devices accept guesses again after too many wrong ones. Null if none of them
 * is locked.
 */
export const findLockEnd = async (db: DbOrTx, userId: string): Promise<Date | null> =>
  findBlockedUntil(db, await listAccountSubjects(db, userId));

/**
 * Clears the guesses counted for an account and its devices. Called after the owner opens an emailed link, or when an
 * administrator unlocks the account.
 */
export const clearGuesses = async (db: DbOrTx, userId: string): Promise<void> =>
  void (await deleteAttempts(db, await listAccountSubjects(db, userId)));
