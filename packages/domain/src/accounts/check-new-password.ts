import { AppError } from '@uprez/contracts/errors/app-error';
import { limits } from '@uprez/contracts/policy/limits';
import { dictionary } from '@zxcvbn-ts/language-common';
import type { Needs } from '../context.ts';

let common: Set<string> | undefined;

/** Whether a password is on the list of the most used ones, in any case of letters. The list is unpacked on first use. */
function isCommon(password: string): boolean {
  common ??= new Set(dictionary['passwords-common'].map((word) => word.toLowerCase()));
  return common.has(password.normalize('NFC').toLowerCase());
}

export type Named = { email: string; username?: string | undefined };

/** Whether a password repeats one character or equals a name of the account. */
const isObvious = (password: string, { email, username }: Partial<Named>): boolean =>
  /^(.)\1*$/su.test(password) || [email, username].some((name) => name?.toLowerCase() === password.toLowerCase());

/** Check a new password. Throws `password_too_short` (counted in code points) or `password_too_common`. */
export async function checkNewPassword(
  ctx: Needs<'settings'>,
  {
    password,
    param = 'password',
    owner = {},
  }: { password: string; param?: 'password' | 'newPassword'; owner?: Partial<Named> },
): Promise<void> {
  const { minPasswordLength } = await ctx.settings.read('security');
  const normal = password.normalize('NFC');
  const wanted = Math.max(minPasswordLength, limits.passwordLength);
  if ([...normal].length < wanted)
    throw new AppError('password_too_short', {
      param,
      detail: `Password must be at least ${wanted} characters long`,
    });
  if (isCommon(password) || isObvious(normal, owner)) throw new AppError('password_too_common', { param });
}
