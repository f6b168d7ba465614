import { AppError } from '@uprez/contracts/errors/app-error';
import { limits } from '@uprez/contracts/policy/limits';
import { hasPermission, type Role } from '@uprez/contracts/policy/permissions';
import type { AdminStats } from '@uprez/contracts/schemas/admin';
import {
  type AdminUserRow,
  countUsers,
  findAdminUser,
  listUsers as listRows,
  type UserFilter,
} from '@uprez/db/queries/accounts/admin-users';
import { readRevenue } from '@uprez/db/queries/billing/admin/revenue';
import { isUuid } from '../actor.ts';
import type { Needs } from '../context.ts';

export type ListedUser = AdminUserRow;

export type UserQuery = UserFilter & { limit?: number | undefined; cursor?: string | undefined };

/** One page of the users, newest first. Throws `invalid_parameter` for a cursor that cannot be. */
export async function listUsers(ctx: Needs<'db'>, { limit = limits.pageRows, cursor, ...filter }: UserQuery) {
  if (cursor && !isUuid(cursor)) throw new AppError('invalid_parameter', { param: 'cursor' });
  const [rows, total] = await Promise.all([
    listRows(ctx.db, { ...filter, before: cursor, limit: limit + 1 }),
    countUsers(ctx.db, filter),
  ]);
  const users = rows.slice(0, limit);
  return { users, total, nextCursor: rows.length > limit ? users.at(-1)?.id : undefined };
}

/** A user as administrators see it. Throws `user_not_found`. */
export async function getUser(ctx: Needs<'db'>, id: string): Promise<AdminUserRow> {
  const user = isUuid(id) ? await findAdminUser(ctx.db, id) : undefined;
  if (!user) throw new AppError('user_not_found');
  return user;
}

const toDollars = (cents: number) => Math.round(cents) / 100;

/** The totals of the site, with amounts if the role includes them. */
export async function getStats(ctx: Needs<'db'>, role: Role | null): Promise<AdminStats> {
  const [totalUsers, { total, month, mrr, live }] = await Promise.all([countUsers(ctx.db), readRevenue(ctx.db)]);
  const counts = { totalUsers, activeSubscriptions: live };
  if (!hasPermission(role, 'revenue.read')) return counts;
  return {
    ...counts,
    totalRevenue: toDollars(total),
    monthlyRevenue: toDollars(month),
    mrr: toDollars(mrr),
  };
}
