import { type StaffSort, staffSorts } from '@uprez/contracts/policy/admin/tables';
import type { Staff } from '@uprez/contracts/schemas/security/staff';
import {
  countStaff,
  listStaff as listRows,
  type StaffFilter,
  type StaffRow,
} from '@uprez/db/queries/accounts/admin-users';
import type { Needs } from '../../context.ts';
import { readAll, readPage, type TablePage, type TableQuery } from '../../read-table.ts';

const tableOf = ({ db }: Needs<'db'>, filter: StaffFilter) => ({
  list: (page: Parameters<typeof listRows>[1]) => listRows(db, { ...filter, ...page }),
  count: () => countStaff(db, filter),
});

/** Returns a page of the administrators. Throws `invalid_parameter`. */
export async function listStaff(
  ctx: Needs<'db'>,
  { sort = staffSorts[0], cursor, limit, ...filter }: StaffFilter & TableQuery<StaffSort>,
): Promise<TablePage<Staff>> {
  const page = await readPage({ list: 'staff', sort, cursor, limit }, tableOf(ctx, filter));
  return { ...page, rows: page.rows.map(presentStaff) };
}

/** Streams the administrators that match a filter, page by page. Throws `export_too_large`. */
export async function exportStaff(
  ctx: Needs<'db'>,
  { sort = staffSorts[0], ...filter }: StaffFilter & { sort?: StaffSort | undefined },
): Promise<AsyncIterable<Staff[]>> {
  const pages = await readAll(sort, tableOf(ctx, filter));
  return (async function* presented() {
    for await (const rows of pages) yield rows.map(presentStaff);
  })();
}

const presentStaff = ({ id, firstName, lastName, email, role, ...row }: StaffRow): Staff => ({
  ...{ id, firstName, lastName, email, role },
  suspendedAt: row.suspendedAt?.toISOString() ?? null,
  lastSeenAt: row.lastSeenAt?.toISOString() ?? null,
  twoFactorEnabled: row.twoFactorAt !== null,
  createdAt: row.createdAt.toISOString(),
});
