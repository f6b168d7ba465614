import { AppError } from '@uprez/contracts/errors/app-error';
import type { Needs } from '../context.ts';
import { smtpPurpose } from './open-settings.ts';

/** Settings of any name. Those without a mail server's password pass through these functions unchanged. */
type Values = Record<string, unknown>;
const hasPassword = (values: Values) => 'smtpPassword' in values;

/** Identifies the server that a password belongs to. It must not be sent to another one. */
const serverOf = ({ smtpHost, smtpPort, smtpUser, smtpSecure }: Values) =>
  JSON.stringify([smtpHost, smtpPort, smtpUser, smtpSecure]);

const passwordRequired = () =>
  new AppError('invalid_parameter', { param: 'smtpPassword', detail: 'SMTP password is required' });

type Passwords<Given> = { stored: Values | undefined; held: Values; given: Given };

/**
 * An empty password keeps the stored one for the same server and user, and stays removed if it was. Throws
 * `invalid_parameter` if there is none.
 */
export function withPassword<Given extends Values>({ stored, held, given }: Passwords<Given>): Given {
  if (!hasPassword(given) || given.smtpPassword) return given;
  if (stored?.smtpPassword === '') return given;
  if (held.smtpPassword && serverOf(held) === serverOf(given)) return { ...given, smtpPassword: held.smtpPassword };
  throw passwordRequired();
}

/**
 * Restored settings keep the present password for the same server and user. For others, it would be lost: throws
 * `invalid_parameter`, unless a password or null was given, or there is none.
 */
function withRestoredPassword<Given extends Values>(
  { held, given }: Omit<Passwords<Given>, 'stored'>,
  password: string | null | undefined,
): Given {
  if (!hasPassword(given)) return given;
  if (password || password === null) return { ...given, smtpPassword: password ?? '' };
  if (serverOf(held) === serverOf(given)) return given;
  if (held.smtpPassword === '' || given.smtpHost === '') return { ...given, smtpPassword: '' };
  throw passwordRequired();
}

/** `removesPassword`: nothing is signed in with anymore. `restoredFrom`: the version that is restored. */
export type PasswordChange = {
  removesPassword?: boolean;
  restoredFrom?: number;
  /** Entered again for a restored version; null: it has none. */
  restoredPassword?: string | null | undefined;
};

/** Adds the password to values that are about to be written. Throws `invalid_parameter` if one is missing. */
export function completePassword<Given extends Values>(
  { stored, held, given }: Passwords<Given>,
  { removesPassword, restoredFrom, restoredPassword }: PasswordChange,
): Given {
  if (removesPassword) return given;
  if (restoredFrom === undefined) return withPassword({ stored, held, given });
  return withRestoredPassword({ held, given }, restoredPassword);
}

/**
 * Settings as they are stored: a new password sealed, a kept one as it was (it may be the environment's). A removed one is
 * stored as an empty text, which is different from none: it isn't required again.
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
