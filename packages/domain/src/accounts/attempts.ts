import { createHash } from 'node:crypto';
import { AppError } from '@uprez/contracts/errors/app-error';
import { limits } from '@uprez/contracts/policy/limits';
import { formatWait } from '@uprez/contracts/texts/format';
import type { DbOrTx } from '@uprez/db/database';
import {
  type AttemptRule,
  deleteAttempts,
  findBlockedS,
  returnAttempts,
  takeAttempt,
} from '@uprez/db/queries/accounts/attempts';
import { listDeviceHashes } from '@uprez/db/queries/accounts/devices';
import type { Needs } from '../context.ts';

/** Whom guesses of a password are counted for, as the `attempts` table names them. */
export const accountSubject = (userId: string) => `account:${userId}`;
/** A device that the account is known on has a counter of its own, so that no stranger's guesses keep its owner out. */
export const deviceSubject = (userId: string, deviceHash: Buffer) => `device:${userId}:${deviceHash.toString('hex')}`;
/** Proofs asked of whoever is signed in already. */
export const proofSubject = (userId: string) => `proof:${userId}`;
/**
 * Subject of a login without an account, hashed. `folded` as accounts are found, or spellings would tell them apart.
 */
export const unknownSubject = (folded: string) => `account:${createHash('sha256').update(folded).digest('hex')}`;

/** Whom mails to an address that somebody named are counted for, whoever named it; the address itself is kept nowhere. */
export const addressSubject = (folded: string) => `mail:${createHash('sha256').update(folded).digest('hex')}`;

/** Beside the policy that administrators set, each subject has a pace that nobody can switch off. */
export const paceSubject = (subject: string) => `pace:${subject}`;

/** Count a guess before it is checked. Throws `too_many_attempts` with `meta.retryAfterS`. */
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

/** Take a counted guess back that was right. What others guessed stays counted: they may be at it still. */
export const refundAttempt = (db: DbOrTx, subject: string): Promise<void> =>
  returnAttempts(db, [subject, paceSubject(subject)]);

/** Forget every guess that was counted for an account and its devices: its owner has proved himself by mail. */
export async function clearAttempts(db: DbOrTx, userId: string): Promise<void> {
  const devices = await listDeviceHashes(db, userId);
  const subjects = [
    accountSubject(userId),
    proofSubject(userId),
    ...devices.map((deviceHash) => deviceSubject(userId, deviceHash)),
  ];
  await deleteAttempts(db, [...subjects, ...subjects.map(paceSubject)]);
}
