import { AppError } from '@uprez/contracts/app-error';
import { limits } from '@uprez/contracts/limits';
import { insertUser, type UserRow } from '@uprez/db/queries/users';
import { uuidv7 } from 'uuidv7';
import type { Needs } from '../context.ts';
import { createSession, type Device } from './create-session.ts';
import { hashPassword } from './password-hash.ts';
import { sessionLifeS } from './session-life.ts';

export type NewAccount = {
  email: string;
  password: string;
  firstName?: string | undefined;
  lastName?: string | undefined;
  username?: string | undefined;
  device: Device;
};

/**
 * Create an account and sign it in. Throws `password_too_short`, `invalid_parameter` for a user name that could be
 * another's e-mail address (both sign in), or `email_taken` when the e-mail or the user name belongs to someone, also
 * when both registrations come at once.
 */
export async function registerAccount(
  ctx: Needs<'db' | 'settings'>,
  input: NewAccount,
): Promise<{ user: UserRow; secret: string }> {
  if ([...input.password].length < limits.passwordLength)
    throw new AppError('password_too_short', { param: 'password' });
  if (input.username?.includes('@') && input.username.toLowerCase() !== input.email.toLowerCase())
    throw new AppError('invalid_parameter', {
      param: 'username',
      detail: 'A user name has no @ in it, unless it is your own e-mail address.',
    });
  const passwordHash = await hashPassword(input.password);
  const lifeS = await sessionLifeS(ctx);
  return ctx.db.transaction().execute(async (tx) => {
    const user = await insertUser(tx, {
      id: uuidv7(),
      email: input.email,
      username: input.username || input.email,
      password_hash: passwordHash,
      first_name: input.firstName || null,
      last_name: input.lastName || null,
    });
    if (!user) throw new AppError('email_taken');
    return { user, secret: await createSession(tx, { userId: user.id, device: input.device, lifeS }) };
  });
}
