import { AppError } from '@uprez/contracts/app-error';
import { limits } from '@uprez/contracts/limits';
import { dictionary } from '@zxcvbn-ts/language-common';
import type { Needs } from '../context.ts';

let common: Set<string> | undefined;

/** Whether a password is on the list of the most used ones, in any case of letters. The list is unpacked on first use. */
function isCommon(password: string): boolean {
  common ??= new Set(dictionary['passwords-common'].map((word) => word.toLowerCase()));
  return common.has(password.normalize('NFC').toLowerCase());
}

/**
 * Check a password that somebody chooses against the site's policy; `param` names it in the request. Length is counted
 * in characters (code points), not in bytes. Throws `password_too_short` or `password_too_common`.
 */
export async function checkNewPassword(
  ctx: Needs<'settings'>,
  password: string,
  param: 'password' | 'newPassword' = 'password',
): Promise<void> {
  const { minPasswordLength } = await ctx.settings.read('security');
  const length = [...password.normalize('NFC')].length;
  if (length < limits.passwordLength) throw new AppError('password_too_short', { param });
  if (length < minPasswordLength)
    throw new AppError('password_too_short', {
      param,
      detail: `Password must be at least ${minPasswordLength} characters long`,
    });
  if (isCommon(password)) throw new AppError('password_too_common', { param });
}
