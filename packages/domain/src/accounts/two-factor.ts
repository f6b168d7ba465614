import { AppError } from '@uprez/contracts/errors/app-error';
import { limits } from '@uprez/contracts/policy/limits';
import type { SessionUser } from '@uprez/db/queries/accounts/sessions';
import {
  clearTwoFactor,
  countRecoveryCodes as countRows,
  enforceTwoFactor,
  keepTwoFactorSecret,
  replaceRecoveryCodes,
} from '@uprez/db/queries/accounts/two-factor';
import { lockUser, type UserRow } from '@uprez/db/queries/accounts/users';
import { generateSecret, generateURI } from 'otplib';
import { toDataURL } from 'qrcode';
import type { Needs } from '../context.ts';
import { queueMail } from '../mails/queue-mail.ts';
import { countGuess, proofSubject, refundGuess } from './guesses.ts';
import { type OwnerProof, proveOwner } from './prove-owner.ts';
import { endOtherSessions } from './sessions.ts';
import { findTotpStep, hashRecoveryCode, makeRecoveryCodes, totpStepS, twoFactorPurpose } from './two-factor-codes.ts';

/**
 * Creates a two-factor secret, or returns a pending one that was created recently. Returns it in base32, as a URI for
 * authenticator apps, and as a QR code. `enableTwoFactor` activates it. Throws `email_unverified`, `two_factor_state`
 * if two-factor authentication is already on, and the errors of `proveOwner`.
 */
export async function setUpTwoFactor(
  ctx: Needs<'db' | 'vault' | 'settings'>,
  { user, ...proof }: { user: UserRow } & OwnerProof,
) {
  if (!user.emailVerified) throw new AppError('email_unverified');
  if (user.twoFactorAt !== null) throw new AppError('two_factor_state');
  await proveOwner(ctx, { user, ...proof });
  const purpose = twoFactorPurpose(user.id);
  const steps = (limits.twoFactorSetupMinutes * 60) / totpStepS;
  const pending = { secret: ctx.vault.seal(generateSecret(), purpose), stepS: totpStepS, steps };
  const kept = await keepTwoFactorSecret(ctx.db, { userId: user.id, passwordHash: user.passwordHash }, pending);
  if (!kept) throw new AppError('two_factor_state');
  const secret = ctx.vault.unseal(kept, purpose);
  const { siteName } = await ctx.settings.read('site');
  const uri = generateURI({ secret, issuer: siteName, label: user.email });
  return { secret, uri, qrCode: await toDataURL(uri) };
}

/**
 * Turns on two-factor authentication after checking a code, and signs out other devices. Returns the recovery codes and
 * the session's new secret. Throws `email_unverified`, `bad_two_factor_code`, `too_many_attempts`, and
 * `two_factor_state` if two-factor authentication is already on or hasn't been set up.
 */
export async function enableTwoFactor(
  ctx: Needs<'db' | 'vault' | 'settings'>,
  { user, code }: { user: SessionUser; code: string },
) {
  if (!user.emailVerified) throw new AppError('email_unverified');
  const sealed = user.twoFactorSecret;
  if (sealed === null || user.twoFactorAt !== null) throw new AppError('two_factor_state');
  const subject = proofSubject(user.id);
  await countGuess(ctx, subject);
  const step = await findTotpStep(ctx, { userId: user.id, sealed, code });
  if (step === undefined) throw new AppError('bad_two_factor_code');
  await refundGuess(ctx.db, subject);
  const recoveryCodes = makeRecoveryCodes();
  return ctx.db.transaction().execute(async (tx) => {
    const at = await enforceTwoFactor(tx, { userId: user.id, secret: sealed, step });
    if (!at) throw new AppError('two_factor_state');
    await replaceRecoveryCodes(tx, user.id, recoveryCodes.map(hashRecoveryCode));
    const sessionSecret = await endOtherSessions(tx, user);
    await queueMail(tx, user.id, { mail: 'two_factor_changed', isOn: true, at: at.toISOString() });
    return { recoveryCodes, sessionSecret };
  });
}

/**
 * Turns off two-factor authentication and signs out other devices. Returns the session's new secret. Throws
 * `two_factor_state` if it's already off, and the errors of `proveOwner`.
 */
export async function disableTwoFactor(
  ctx: Needs<'db' | 'vault' | 'settings'>,
  { user, ...proof }: { user: SessionUser } & OwnerProof,
): Promise<string> {
  if (user.twoFactorAt === null) throw new AppError('two_factor_state');
  await proveOwner(ctx, { user, ...proof });
  return ctx.db.transaction().execute(async (tx) => {
    const at = await clearTwoFactor(tx, user.id);
    if (!at) throw new AppError('two_factor_state');
    await replaceRecoveryCodes(tx, user.id, []);
    const secret = await endOtherSessions(tx, user);
    await queueMail(tx, user.id, { mail: 'two_factor_changed', isOn: false, at: at.toISOString() });
    return secret;
  });
}

/** Returns the number of unused recovery codes. */
export const countRecoveryCodes = (ctx: Needs<'db'>, userId: string): Promise<number> => countRows(ctx.db, userId);

/**
 * Replaces all recovery codes and returns the new ones. Throws `two_factor_state` if two-factor authentication is off,
 * and the errors of `proveOwner`.
 */
export async function renewRecoveryCodes(
  ctx: Needs<'db' | 'vault' | 'settings'>,
  { user, ...proof }: { user: UserRow } & OwnerProof,
): Promise<string[]> {
  if (user.twoFactorAt === null) throw new AppError('two_factor_state');
  await proveOwner(ctx, { user, ...proof });
  const recoveryCodes = makeRecoveryCodes();
  await ctx.db.transaction().execute(async (tx) => {
    const present = await lockUser(tx, user.id);
    // While the password was being compared, two-factor authentication may have been turned off, or turned off and on
    // again.
    if (present?.twoFactorAt?.getTime() !== user.twoFactorAt?.getTime()) throw new AppError('two_factor_state');
    await replaceRecoveryCodes(tx, user.id, recoveryCodes.map(hashRecoveryCode));
  });
  return recoveryCodes;
}
