import { availableParallelism } from 'node:os';
import { type Algorithm, hash, verify } from '@node-rs/argon2';
import pLimit from 'p-limit';

/** argon2id at the OWASP cheat sheet's figures: 19 MiB, 2 passes, 1 lane. */
const cost = { algorithm: 2 satisfies Algorithm.Argon2id, memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** A hash takes a core for its time: one core stays for those who do not sign in. */
const inTurn = pLimit(Math.max(1, availableParallelism() - 1));

export const hashPassword = (password: string): Promise<string> => inTurn(() => hash(password.normalize('NFC'), cost));

let decoy: Promise<string> | undefined;

/** Compare in the same time whether there is a hash or not, so that an unknown account answers like a known one. */
export async function verifyPassword(passwordHash: string | undefined, password: string): Promise<boolean> {
  decoy ??= hashPassword('no account has this password');
  const compared = passwordHash ?? (await decoy);
  const matches = await inTurn(() => verify(compared, password.normalize('NFC'), cost));
  return matches && passwordHash !== undefined;
}
