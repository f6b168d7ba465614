import { readEpochS } from '@uprez/db/queries/accounts/two-factor';
import { generateSecret, generateURI, verifySync } from 'otplib';
import type { Needs } from '../../context.ts';

/** Seconds of one step; with it SHA-1 and six digits, the only form that every authenticator app knows (RFC 6238). */
export const stepS = 30;

export const twoFactorPurpose = (userId: string) => `two-factor:${userId}`;

/** 160 random bits, as base32. */
export const makeTotpSecret = (): string => generateSecret();

/** The address that an authenticator app reads from a QR code. */
export const makeTotpUri = (secret: string, names: { issuer: string; email: string }): string =>
  generateURI({ secret, issuer: names.issuer, label: names.email });

/** Codes are typed in groups; spaces and dashes do not count. */
export const bareCode = (code: string): string => code.replace(/[\s-]/g, '');

/** The time step of a code, at most one step off by the database's clock. Undefined for a wrong code. */
export async function findTotpStep(ctx: Needs<'db'>, { secret, bare }: { secret: string; bare: string }) {
  if (!/^\d{6}$/.test(bare)) return undefined;
  const epoch = await readEpochS(ctx.db);
  const result = verifySync({ secret, token: bare, epoch, period: stepS, epochTolerance: stepS });
  return result.valid && 'timeStep' in result ? result.timeStep : undefined;
}
