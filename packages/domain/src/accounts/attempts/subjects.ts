import { createHash } from 'node:crypto';

/** Whom guesses of a password are counted for, as the `attempts` table names them. */
export const accountSubject = (userId: string) => `account:${userId}`;
/** A device that the account is known on has a counter of its own, so that no stranger's guesses keep its owner out. */
export const deviceSubject = (userId: string, deviceHash: Buffer) => `device:${userId}:${deviceHash.toString('hex')}`;
/** Proofs asked of whoever is signed in already. */
export const proofSubject = (userId: string) => `proof:${userId}`;
/** A name that nobody has is counted like one that somebody has; the text itself is kept nowhere. */
export const unknownSubject = (login: string) =>
  `account:${createHash('sha256').update(login.normalize('NFC').toLowerCase()).digest('hex')}`;

/** Beside the policy that administrators set, each subject has a pace that nobody can switch off. */
export const paceSubject = (subject: string) => `pace:${subject}`;
