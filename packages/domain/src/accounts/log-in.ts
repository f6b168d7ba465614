import { AppError } from '@uprez/contracts/app-error';
import { findUserByLogin, type UserRow } from '@uprez/db/queries/users';
import type { Needs } from '../context.ts';
import { createSession, type Device } from './create-session.ts';
import { verifyPassword } from './password-hash.ts';
import { sessionLifeS } from './session-life.ts';

export type Credentials = { login: string; password: string; device: Device };

/** Sign in by e-mail or user name. Throws `bad_credentials`, the same for a wrong password and an unknown account. */
export async function logIn(
  ctx: Needs<'db' | 'settings'>,
  input: Credentials,
): Promise<{ user: UserRow; secret: string }> {
  const user = await findUserByLogin(ctx.db, input.login);
  const matches = await verifyPassword(user?.password_hash, input.password);
  if (!user || !matches) throw new AppError('bad_credentials');
  return {
    user,
    secret: await createSession(ctx.db, { userId: user.id, device: input.device, lifeS: await sessionLifeS(ctx) }),
  };
}
