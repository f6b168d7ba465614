import { hasPermission, type Role } from '@uprez/contracts/policy/admin/permissions';
import { type UserSort, userSorts } from '@uprez/contracts/policy/admin/tables';
import type { AdminStats } from '@uprez/contracts/schemas/admin/users';
import {
  type AdminUserRow,
  countUsers,
  findAdminUser,
  isSortedByMonth,
  listUsers as listRows,
  listUserIdsByMonth,
  listUsersById,
  type UserFilter,
} from '@uprez/db/queries/accounts/admin-users';
import { readRevenue } from '@uprez/db/queries/billing/admin/revenue';
import { getByUuid } from '../actor.ts';
import type { Needs } from '../context.ts';
import { checkExport, defineTable, exportPage } from '../read-table.ts';

export type ListedUser = AdminUserRow;

const users = defineTable({
  name: 'users',
  sorts: userSorts,
  list: listRows,
  count: (db, filter: UserFilter) => countUsers(db, filter),
  present: (rows): ListedUser[] => rows,
});

/** Returns a page of users. Throws `invalid_parameter`. */
export const listUsers = users.page;

/** Streams the users that match a filter, page by page. Throws `export_too_large`. */
export async function exportUsers(
  ctx: Needs<'db'>,
  query: UserFilter & { sort?: UserSort | undefined },
): Promise<AsyncIterable<ListedUser[]>> {
  const { sort = userSorts[0], ...filter } = query;
  if (!isSortedByMonth(sort)) return users.export(ctx, query);
  await checkExport({ count: () => countUsers(ctx.db, filter) });
  const ids = await listUserIdsByMonth(ctx.db, { ...filter, sort });
  return (async function* parts() {
    for (let from = 0; from < ids.length; from += exportPage)
      yield await listUsersById(ctx.db, ids.slice(from, from + exportPage));
  })();
}

/** Returns a user with the details that administrators see. Throws `user_not_found`. */
export async function getUser(ctx: Needs<'db'>, id: string): Promise<AdminUserRow> {
  return getByUuid(id, () => findAdminUser(ctx.db, id), 'user_not_found');
}

const toDollars = (cents: number) => Math.round(cents) / 100;

/** Returns the site's totals. Includes amounts only if the role permits reading them. */
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
