import { AppError } from '@uprez/contracts/errors/app-error';
import type { Needs } from '../context.ts';
import { smtpPurpose } from './open-settings.ts';

/** Settings of any name. Settings without a mail server password pass through these functions unchanged. */
type Values = Record<string, unknown>;
const hasPassword = (values: Values) => 'smtpPassword' in values;

/** Identifies the server that a password belongs to, because it must not be sent to another server. */
const serverOf = ({ smtpHost, smtpPort, smtpUser, smtpSecure }: Values) =>
  JSON.stringify([smtpHost, smtpPort, smtpUser, smtpSecure]);

const makePasswordRequiredError = () =>
  new AppError('invalid_parameter', { param: 'smtpPassword', detail: 'SMTP password is required' });

type Passwords<Given> = { stored: Values | undefined; held: Values; given: Given };

/**
 * Fills in an empty password: keeps the stored one for the same server and user, and keeps a removed one removed.
 * Throws `invalid_parameter` if there is none.
 */
export function fillPassword<Given extends Values>({ stored, held, given }: Passwords<Given>): Given {
  if (!hasPassword(given) || given.smtpPassword) return given;
  if (stored?.smtpPassword === '') return given;
  if (held.smtpPassword && serverOf(held) === serverOf(given)) return { ...given, smtpPassword: held.smtpPassword };
  throw makePasswordRequiredError();
}

/**
 * Restored settings keep the current password for the same server and user. For another server, the password would be
 * lost: throws `invalid_parameter` unless a password or null is given or no password is needed.
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

/** `removesPassword`: whether the server no longer needs a sign-in. `restoredFrom`: version that is restored. */
export type PasswordChange = {
  removesPassword?: boolean;
  restoredFrom?: number;
  /** Password entered for the restored version. Null if it has none. */
  restoredPassword?: string | null | undefined;
};

/** Adds the password to values that are about to be stored. Throws `invalid_parameter` if one is missing. */
export function completePassword<Given extends Values>(
  { stored, held, given }: Passwords<Given>,
  { removesPassword, restoredFrom, restoredPassword }: PasswordChange,
): Given {
  if (removesPassword) return given;
  if (restoredFrom === undefined) return fillPassword({ stored, held, given });
  return withRestoredPassword({ held, given }, restoredPassword);
}

/**
 * Returns settings as stored: a new password is sealed, and a kept one stays unchanged, including one from the
 * environment. A removed password is stored as an empty string, unlike a missing one, so that it isn't required again.
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
