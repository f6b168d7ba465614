import { AppError } from '@uprez/contracts/errors/app-error';
import { limits } from '@uprez/contracts/policy/limits';
import {
  type AdminUserRow,
  countUsers,
  listUsers as listRows,
  type UserFilter,
} from '@uprez/db/queries/accounts/admin-users';
import type { Needs } from '../context.ts';
import { isUuid } from '../jobs/is-uuid.ts';

/** A user with the counts that administrators see. */
export type ListedUser = AdminUserRow;

export type UserQuery = UserFilter & { limit?: number | undefined; cursor?: string | undefined };
export type UserList = { users: AdminUserRow[]; total: number; nextCursor: string | undefined };

/** One page of the users, newest first. Throws `invalid_parameter` for a cursor that cannot be. */
export async function listUsers(
  ctx: Needs<'db'>,
  { limit = limits.pageRows, cursor, ...filter }: UserQuery,
): Promise<UserList> {
  if (cursor && !isUuid(cursor)) throw new AppError('invalid_parameter', { param: 'cursor' });
  const [rows, total] = await Promise.all([
    listRows(ctx.db, { ...filter, before: cursor, limit: limit + 1 }),
    countUsers(ctx.db, filter),
  ]);
  const users = rows.slice(0, limit);
  return { users, total, nextCursor: rows.length > limit ? users.at(-1)?.id : undefined };
}
