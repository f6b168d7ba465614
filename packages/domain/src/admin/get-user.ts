import { AppError } from '@uprez/contracts/errors/app-error';
import { type AdminUserRow, findAdminUser } from '@uprez/db/queries/accounts/admin-users';
import type { Needs } from '../context.ts';
import { isUuid } from '../jobs/is-uuid.ts';

/** A user as administrators see it. Throws `user_not_found`. */
export async function getUser(ctx: Needs<'db'>, id: string): Promise<AdminUserRow> {
  const user = isUuid(id) ? await findAdminUser(ctx.db, id) : undefined;
  if (!user) throw new AppError('user_not_found');
  return user;
}
