import { createHash } from 'node:crypto';
import { AppError } from '@uprez/contracts/errors/app-error';
import { limits } from '@uprez/contracts/policy/limits';
import { formatWait } from '@uprez/contracts/texts/format';
import type { DbOrTx } from '@uprez/db/database';
import {
  type AttemptRule,
  deleteAttempts,
  findBlockedS,
  findBlockedUntil,
  returnAttempts,
  takeAttempt,
} from '@uprez/db/queries/accounts/attempts';
import { listDeviceHashes } from '@uprez/db/queries/accounts/sessions';
import type { Needs } from '../context.ts';

/** Whom guesses of a password are counted for, as the `attempts` table names them. */
export const accountSubject = (userId: string) => `account:${userId}`;
/** Known devices have their own counter, so guesses by others don't lock out the owner. */
export const deviceSubject = (userId: string, deviceHash: Buffer) => `device:${userId}:${deviceHash.toString('hex')}`;
/** For proofs by signed-in users. */
export const proofSubject = (userId: string) => `proof:${userId}`;
/** For sign-ins with a passkey of an account. */
export const passkeySubject = (userId: string) => `passkey:${userId}`;
/** For logins without an account, hashed. `folded` as accounts are found, or spellings would tell them apart. */
export const unknownSubject = (folded: string) => `account:${createHash('sha256').update(folded).digest('hex')}`;

/** For links to a mailbox that accounts and invitations name. The mailbox is hashed. */
export const mailboxSubject = (mailbox: string) => `mail:${createHash('sha256').update(mailbox).digest('hex')}`;

/** A second limit per subject that administrators cannot turn off. */
export const paceSubject = (subject: string) => `pace:${subject}`;

/**
 * Count a guess before it is checked. `onLastAttempt`: called if further guesses are refused for a while. Throws
 * `too_many_attempts` with `meta.retryAfterS`.
 */
export async function countAttempt(
  ctx: Needs<'db' | 'settings'>,
  subject: string,
  onLastAttempt?: () => void,
): Promise<void> {
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
  if (!(await takeAttempt(ctx.db, policy))) throw await tooManyAttempts(ctx, subject);
  if (await takeAttempt(ctx.db, pace)) {
    if (onLastAttempt && (await findBlockedS(ctx.db, [subject, paceSubject(subject)])) > 0) onLastAttempt();
    return;
  }
  await returnAttempts(ctx.db, [subject]);
  throw await tooManyAttempts(ctx, subject);
}

async function tooManyAttempts(ctx: Needs<'db'>, subject: string): Promise<AppError> {
  const retryAfterS = Math.max(1, await findBlockedS(ctx.db, [subject, paceSubject(subject)]));
  const detail = `Too many attempts. Try again ${formatWait(retryAfterS)}, or reset your password.`;
  return new AppError('too_many_attempts', { detail, meta: { retryAfterS } });
}

/** Refund a correct guess. Wrong guesses by others stay counted. */
export const refundAttempt = (db: DbOrTx, subject: string) => returnAttempts(db, [subject, paceSubject(subject)]);

/** All counters of an account and its devices. */
async function listSubjects(db: DbOrTx, userId: string): Promise<string[]> {
  const devices = await listDeviceHashes(db, userId);
  const subjects = [
    accountSubject(userId),
    proofSubject(userId),
    passkeySubject(userId),
    ...devices.map((deviceHash) => deviceSubject(userId, deviceHash)),
  ];
  return [...subjects, ...subjects.map(paceSubject)];
}

/** When an account can be signed in to again from everywhere, after too many wrong guesses. Null: it isn't locked. */
export const findLockEnd = async (db: DbOrTx, userId: string): Promise<Date | null> =>
  findBlockedUntil(db, await listSubjects(db, userId));

/** Clear the attempts of an account and its devices, after a proof by email, or by an administrator. */
export const clearAttempts = async (db: DbOrTx, userId: string): Promise<void> =>
  void (await deleteAttempts(db, await listSubjects(db, userId)));
