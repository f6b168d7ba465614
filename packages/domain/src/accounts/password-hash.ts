import { type Algorithm, hash, verify } from '@node-rs/argon2';

/** argon2id at the OWASP cheat sheet's figures: 19 MiB, 2 passes, 1 lane. */
const cost = { algorithm: 2 satisfies Algorithm.Argon2id, memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export const hashPassword = (password: string): Promise<string> => hash(password.normalize('NFC'), cost);

let decoy: Promise<string> | undefined;

/** Compare in the same time whether there is a hash or not, so that an unknown account answers like a known one. */
export async function verifyPassword(passwordHash: string | undefined, password: string): Promise<boolean> {
  decoy ??= hashPassword('no account has this password');
  const matches = await verify(passwordHash ?? (await decoy), password.normalize('NFC'), cost);
  return matches && passwordHash !== undefined;
}
