import { AppError } from '@uprez/contracts/errors/app-error';
import type { Needs } from '../context.ts';
import { smtpPurpose } from './open-settings.ts';

/** The functions in this file return settings without `smtpPassword` unchanged. */
type Values = Record<string, unknown>;
const hasPassword = (values: Values) => 'smtpPassword' in values;

/** Identifies the server that a password belongs to, because the password must not be sent to another server. */
const serverOf = ({ smtpHost, smtpPort, smtpUser, smtpSecure }: Values) =>
  JSON.stringify([smtpHost, smtpPort, smtpUser, smtpSecure]);

const makePasswordRequiredError = () =>
  new AppError('invalid_parameter', { param: 'smtpPassword', detail: 'SMTP password is required' });

type Passwords<Given> = { stored: Values | undefined; held: Values; given: Given };

/**
 * Fills in a password that was submitted empty. Keeps the current password if the server and user are the same. The
 * password stays empty if it was removed before. Otherwise throws `invalid_parameter`.
 */
export function fillPassword<Given extends Values>({ stored, held, given }: Passwords<Given>): Given {
  if (!hasPassword(given) || given.smtpPassword) return given;
  if (stored?.smtpPassword === '') return given;
  if (held.smtpPassword && serverOf(held) === serverOf(given)) return { ...given, smtpPassword: held.smtpPassword };
  throw makePasswordRequiredError();
}

/**
 * The current password can't be used for another server: throws `invalid_parameter` unless a password or null is given,
 * or no password is needed.
 */
function withRestoredPassword<Given extends Values>(
  { held, given }: Omit<Passwords<Given>, 'stored'>,
  password: string | null | undefined,
): Given {
  if (!hasPassword(given)) return given;
  if (password || password === null) return { ...given, smtpPassword: password ?? '' };
  if (serverOf(held) === serverOf(given)) return given;
  if (held.smtpPassword === '' || given.smtpHost === '') return { ...given, smtpPassword: '' };
  throw makePasswordRequiredError();
}

/** `removesPassword`: whether the server no longer needs a sign-in. `restoredFrom`: version that is being restored. */
export type PasswordChange = {
  removesPassword?: boolean;
  restoredFrom?: number;
  /** Null if the restored version needs no password. */
  restoredPassword?: string | null | undefined;
};

/**
 * Adds the password to values that are about to be stored. Throws `invalid_parameter` if a required password is
 * missing.
 */
export function completePassword<Given extends Values>(
  { stored, held, given }: Passwords<Given>,
  { removesPassword, restoredFrom, restoredPassword }: PasswordChange,
): Given {
  if (removesPassword) return given;
  if (restoredFrom === undefined) return fillPassword({ stored, held, given });
  return withRestoredPassword({ held, given }, restoredPassword);
}

/**
 * Returns settings in their stored form. Seals a new password. An unchanged password stays as it is stored, and is left
 * out if it comes from the environment. A removed password is stored as an empty string, because a missing password
 * would be required again.
 */
export function sealPassword(
  ctx: Needs<'vault'>,
  { stored, held, value, isRemoved }: { stored: Values | undefined; held: Values; value: Values; isRemoved: boolean },
): Values {
  if (!hasPassword(value)) return value;
  const { smtpPassword, ...plain } = value;
  if (isRemoved || smtpPassword !== held.smtpPassword) {
    const sealed = smtpPassword ? ctx.vault.seal(String(smtpPassword), smtpPurpose) : '';
    return { ...plain, smtpPassword: sealed };
  }
  return stored?.smtpPassword === undefined ? plain : { ...plain, smtpPassword: stored.smtpPassword };
}

export function withoutPasswords({ before, after }: { before: Values; after: Values }) {
  if (!hasPassword(after)) return { before, after };
  const was = before.smtpPassword ? 'set' : 'not set';
  const is = after.smtpPassword ? 'changed' : 'removed';
  return { before: { ...before, smtpPassword: was }, after: { ...after, smtpPassword: is } };
}
