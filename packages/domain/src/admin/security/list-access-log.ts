import { AppError } from '@uprez/contracts/errors/app-error';
import { type AccessSort, accessSorts } from '@uprez/contracts/policy/admin/logs';
import type { AccessEventView } from '@uprez/contracts/schemas/admin/logs';
import type { Page } from '@uprez/db/keyset';
import {
  type AccessEventRow,
  type AccessFilter,
  countAccessEvents,
  listAccessEvents,
} from '@uprez/db/queries/access/access-events';
import type { Needs } from '../../context.ts';
import { readAll, readPage, type TablePage, type TableQuery } from '../../read-table.ts';

const makeTableSource = ({ db }: Needs<'db'>, filter: AccessFilter) => ({
  list: async (page: Page & { sort: AccessSort }) => {
    if (page.after && !/^\d{1,18}$/.test(page.after.id)) throw new AppError('invalid_parameter', { param: 'cursor' });
    return (await listAccessEvents(db, { ...filter, ...page })).map((row) => ({ ...row, id: String(row.id) }));
  },
  count: () => countAccessEvents(db, filter),
});

/** Returns a page of the access log. Throws `invalid_parameter`. */
export async function listAccessLog(
  ctx: Needs<'db'>,
  { sort = accessSorts[0], cursor, limit, ...filter }: AccessFilter & TableQuery<AccessSort>,
): Promise<TablePage<AccessEventView>> {
  const page = await readPage({ list: 'access-log', sort, cursor, limit }, makeTableSource(ctx, filter));
  return { ...page, rows: page.rows.map(presentAccessEvent) };
}

/** Streams the access log events that match a filter, page by page. Throws `export_too_large`. */
export async function exportAccessLog(
  ctx: Needs<'db'>,
  { sort = accessSorts[0], ...filter }: AccessFilter & { sort?: AccessSort | undefined },
): Promise<AsyncIterable<AccessEventView[]>> {
  const pages = await readAll(sort, makeTableSource(ctx, filter));
  return (async function* presented() {
    for await (const rows of pages) yield rows.map(presentAccessEvent);
  })();
}

type Row = Omit<AccessEventRow, 'id'> & { id: string };

const presentUser = (id: string | null, email: string | null, ...names: (string | null)[]): AccessEventView['user'] =>
  id === null || email === null ? null : { id, email, name: names.filter(Boolean).join(' ') || null };

const presentKey = ({ keyId, keyName, keyDeletedAt }: Row): AccessEventView['key'] =>
  keyId === null || keyName === null ? null : { id: keyId, name: keyName, isDeleted: keyDeletedAt !== null };

const presentAccessEvent = (row: Row): AccessEventView => ({
  id: row.id,
  at: row.at.toISOString(),
  kind: row.kind,
  count: row.count,
  user: presentUser(row.userId, row.userEmail, row.userFirstName, row.userLastName),
  staff: presentUser(row.staffId, row.staffEmail, row.staffFirstName, row.staffLastName),
  key: presentKey(row),
  address: row.address,
  network: row.network,
  userAgent: row.agent,
  country: row.country,
  method: row.method,
  path: row.path,
  status: row.status,
  requestId: row.requestId,
});
