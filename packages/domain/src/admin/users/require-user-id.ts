import { AppError } from '@uprez/contracts/errors/app-error';
import { findUser } from '@uprez/db/queries/accounts/users';
import { isUuid } from '../../actor.ts';
import type { Needs } from '../../context.ts';

/** The ID of a user as it is stored. Throws `user_not_found`. */
export async function requireUserId(ctx: Needs<'db'>, id: string): Promise<string> {
  const user = isUuid(id) ? await findUser(ctx.db, id) : undefined;
  if (!user) throw new AppError('user_not_found');
  return user.id;
}
