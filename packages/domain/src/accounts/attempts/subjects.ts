import { createHash } from 'node:crypto';

/** Whom guesses of a password are counted for, as the `attempts` table names them. */
export const accountSubject = (userId: string) => `account:${userId}`;
/** A device that the account is known on has a counter of its own, so that no stranger's guesses keep its owner out. */
export const deviceSubject = (userId: string, deviceHash: Buffer) => `device:${userId}:${deviceHash.toString('hex')}`;
/** Proofs asked of whoever is signed in already. */
export const proofSubject = (userId: string) => `proof:${userId}`;
/**
 * A name that nobody has is counted like one that somebody has; the text itself is kept nowhere. `folded`: as accounts
 * are looked up, else spellings of one name would be told apart where there is no account, and only there.
 */
export const unknownSubject = (folded: string) => `account:${createHash('sha256').update(folded).digest('hex')}`;

/** Whom mails to an address that somebody named are counted for, whoever named it; the address itself is kept nowhere. */
export const addressSubject = (folded: string) => `mail:${createHash('sha256').update(folded).digest('hex')}`;

/** Beside the policy that administrators set, each subject has a pace that nobody can switch off. */
export const paceSubject = (subject: string) => `pace:${subject}`;
