import { createHash, randomInt } from 'node:crypto';
import { limits } from '@uprez/contracts/policy/limits';
import { readEpochS } from '@uprez/db/queries/accounts/two-factor';
import { verifySync } from 'otplib';
import type { Needs } from '../context.ts';

/** With SHA-1 and six digits, it's the only variant of RFC 6238 that every authenticator app supports. */
export const totpStepS = 30;

export const twoFactorPurpose = (userId: string) => `two-factor:${userId}`;

/** People type codes in groups. */
const stripSeparators = (code: string): string => code.replace(/[\s-]/g, '');

/**
 * Returns the time step that a code belongs to. The code may be off by one step from the database's clock. Undefined if
 * the code is wrong.
 */
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

/**
 * Crockford's base32 alphabet, at 5 bits per character. It omits the letters i, l, and o, which could be mistaken for
 * digits, and u.
 */
const codeAlphabet = '0123456789abcdefghjkmnpqrstvwxyz';
/**
 * Three groups of five characters make 75 bits per code. That's too many to guess, even with a copy of the database.
 */
const groupCount = 3;
const groupLength = 5;

const makeGroup = () =>
  Array.from({ length: groupLength }, () => codeAlphabet[randomInt(codeAlphabet.length)]).join('');

/** Creates a full set of recovery codes, such as `3f7kq-9zt0m-h2c8w`. */
export const makeRecoveryCodes = (): string[] =>
  Array.from({ length: limits.recoveryCodes }, () => Array.from({ length: groupCount }, makeGroup).join('-'));

/**
 * Returns the hash that is stored for a recovery code. Reads letters that look like digits as digits. A fast hash is
 * enough, because the codes are random.
 */
export const hashRecoveryCode = (code: string): Buffer =>
  createHash('sha256').update(stripSeparators(code).toLowerCase().replace(/o/g, '0').replace(/[il]/g, '1')).digest();
