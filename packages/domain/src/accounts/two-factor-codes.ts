import { createHash, randomInt } from 'node:crypto';
import { limits } from '@uprez/contracts/policy/limits';
import { readEpochS } from '@uprez/db/queries/accounts/two-factor';
import { verifySync } from 'otplib';
import type { Needs } from '../context.ts';

/** Seconds of one step; with it SHA-1 and six digits, the only form that every authenticator app knows (RFC 6238). */
export const stepS = 30;

export const twoFactorPurpose = (userId: string) => `two-factor:${userId}`;

/** Codes are typed in groups; spaces and dashes do not count. */
const bareCode = (code: string): string => code.replace(/[\s-]/g, '');

/** The time step of a code, at most one step off by the database's clock. Undefined for a wrong code. */
export async function findTotpStep(
  ctx: Needs<'db' | 'vault'>,
  { userId, sealed, code }: { userId: string; sealed: string; code: string },
) {
  const secret = ctx.vault.unseal(sealed, twoFactorPurpose(userId));
  const token = bareCode(code);
  if (!/^\d{6}$/.test(token)) return undefined;
  const epoch = await readEpochS(ctx.db);
  const result = verifySync({ secret, token, epoch, period: stepS, epochTolerance: stepS });
  return result.valid && 'timeStep' in result ? result.timeStep : undefined;
}

/** Without the letters that are mistaken for digits (Crockford's base32): 5 bits each. */
const letters = '0123456789abcdefghjkmnpqrstvwxyz';
/** 75 bits a code: too many to be searched through, even with the database at hand. */
const groups = 3;
const groupLength = 5;

const makeGroup = () => Array.from({ length: groupLength }, () => letters[randomInt(letters.length)]).join('');

/** A full set of new codes, like `3f7kq-9zt0m-h2c8w`. */
export const makeRecoveryCodes = (): string[] =>
  Array.from({ length: limits.recoveryCodes }, () => Array.from({ length: groups }, makeGroup).join('-'));

/** The stored hash of a code; random codes need no slow one. Letters that look like digits count as digits. */
export const hashRecoveryCode = (code: string): Buffer =>
  createHash('sha256').update(bareCode(code).toLowerCase().replace(/o/g, '0').replace(/[il]/g, '1')).digest();
