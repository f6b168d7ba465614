import { createHash, randomInt } from 'node:crypto';
import { limits } from '@uprez/contracts/policy/limits';
import { readEpochS } from '@uprez/db/queries/accounts/two-factor';
import { verifySync } from 'otplib';
import type { Needs } from '../context.ts';

/**
 * Seconds per time step. With SHA-1 and six digits, this is the only form that every authenticator app supports (RFC
 * 6238).
 */
export const totpStepS = 30;

export const twoFactorPurpose = (userId: string) => `two-factor:${userId}`;

/** Removes spaces and dashes, because codes are typed in groups. */
const stripSeparators = (code: string): string => code.replace(/[\s-]/g, '');

/** Returns the time step of a code, at most one step off the database's clock. Undefined for a wrong code. */
export async function findTotpStep(
  ctx: Needs<'db' | 'vault'>,
  { userId, sealed, code }: { userId: string; sealed: string; code: string },
) {
  const secret = ctx.vault.unseal(sealed, twoFactorPurpose(userId));
  const token = stripSeparators(code);
  if (!/^\d{6}$/.test(token)) return undefined;
  const epoch = await readEpochS(ctx.db);
  const result = verifySync({ secret, token, epoch, period: totpStepS, epochTolerance: totpStepS });
  return result.valid && 'timeStep' in result ? result.timeStep : undefined;
}

/** Crockford's base32 alphabet, without the letters that are mistaken for digits: 5 bits per character. */
const codeAlphabet = '0123456789abcdefghjkmnpqrstvwxyz';
/** 75 bits per code: too many for brute force, even with a copy of the database. */
const groupCount = 3;
const groupLength = 5;

const makeGroup = () =>
  Array.from({ length: groupLength }, () => codeAlphabet[randomInt(codeAlphabet.length)]).join('');

/** Creates a full set of recovery codes, such as `3f7kq-9zt0m-h2c8w`. */
export const makeRecoveryCodes = (): string[] =>
  Array.from({ length: limits.recoveryCodes }, () => Array.from({ length: groupCount }, makeGroup).join('-'));

/**
 * Returns the stored hash of a recovery code. Random codes don't need a slow hash. Letters that look like digits count
 * as digits.
 */
export const hashRecoveryCode = (code: string): Buffer =>
  createHash('sha256').update(stripSeparators(code).toLowerCase().replace(/o/g, '0').replace(/[il]/g, '1')).digest();
