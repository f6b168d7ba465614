import { randomBytes } from 'node:crypto';
import { findAnyOwner, insertUser } from '@uprez/db/queries/accounts/users';
import { uuidv7 } from 'uuidv7';
import type { Needs } from '../context.ts';
import { serviceTurn } from './hash-turns.ts';
import { hashPassword } from './password-hash.ts';

/** Create the first administrator, an owner, if there is none; returns a generated password. */
export async function ensureAdmin(
  ctx: Needs<'db'>,
  admin: { email: string; password?: string | undefined },
): Promise<{ madeUpPassword?: string }> {
  if (await findAnyOwner(ctx.db)) return {};
  const password = admin.password ?? randomBytes(12).toString('base64url');
  const created = await insertUser(ctx.db, {
    id: uuidv7(),
    email: admin.email,
    username: admin.email,
    passwordHash: await hashPassword(password, serviceTurn),
    role: 'owner',
    emailVerified: true,
  });
  return created && !admin.password ? { madeUpPassword: password } : {};
}
