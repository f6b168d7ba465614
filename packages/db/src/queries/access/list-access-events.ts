import { isIP } from 'node:net';
import type { AccessFilterKind, AccessSort, StatusClass } from '@uprez/contracts/policy/access-log';
import { type Selectable, type SqlBool, sql } from 'kysely';
import { containing } from '../../containing.ts';
import type { DbOrTx } from '../../database.ts';
import { countRows, type KeysetOrder, type Page, readKeysetPage } from '../../keyset.ts';
import type { AccessEventsTable } from '../../tables/access-tables.ts';
import { hasText } from '../../user-text.ts';

export type AccessFilter = {
  search?: string | undefined;
  /** Undefined: all but calls of administrators that only read. */
  kind?: AccessFilterKind | undefined;
  status?: StatusClass | undefined;
  /** An account, or an administrator. */
  user?: string | undefined;
  key?: string | undefined;
  address?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
};

type Person<Prefix extends string> = Record<
  `${Prefix}Email` | `${Prefix}FirstName` | `${Prefix}LastName`,
  string | null
>;
export type AccessEventRow = Selectable<AccessEventsTable> &
  Person<'user'> &
  Person<'staff'> & { keyName: string | null; keyDeletedAt: Date | null };

const at = { column: 'accessEvents.at', type: 'time' } as const;
const orders: Record<AccessSort, KeysetOrder> = {
  '-at': { ...at, direction: 'desc' },
  at: { ...at, direction: 'asc' },
};

/** Events of which a text names the IP address, network, or request, or is a part of a name, path, or user agent. */
function mentions(search: string) {
  if (isIP(search) !== 0) return sql<SqlBool>`access_events.address = ${search}`;
  if (/^[0-9a-f.:]+\/(24|48)$/i.test(search)) return sql<SqlBool>`access_events.network = ${search}`;
  const people = sql`select id from users where ${hasText(search, false)}`;
  const pattern = containing(search);
  return sql<SqlBool>`(
    access_events.user_id in (${people}) or access_events.staff_id in (${people})
    or access_events.path ilike ${pattern} or access_events.agent ilike ${pattern} or access_events.request_id = ${search})`;
}

const dayMs = 86_400_000;
/** The end of a day (UTC), or a time. */
const endOf = (to: string) => new Date(Date.parse(to) + (/^\d{4}-\d\d-\d\d$/.test(to) ? dayMs : 0));

const isNoRead = sql<SqlBool>`not (access_events.kind = 'admin_call' and access_events.method in ('GET', 'HEAD'))`;

function matching(db: DbOrTx, { search, kind, status, user, key, address, from, to }: AccessFilter) {
  let query = db.selectFrom('accessEvents');
  if (search) query = query.where(mentions(search));
  if (kind === undefined) query = query.where(isNoRead);
  else if (kind !== 'all') query = query.where('accessEvents.kind', '=', kind);
  if (status) {
    const lowest = Number(status[0]) * 100;
    query = query.where('accessEvents.status', '>=', lowest).where('accessEvents.status', '<', lowest + 100);
  }
  if (user)
    query = query.where((eb) => eb.or([eb('accessEvents.userId', '=', user), eb('accessEvents.staffId', '=', user)]));
  if (key) query = query.where('accessEvents.keyId', '=', key);
  if (address) query = query.where('accessEvents.address', '=', address);
  if (from) query = query.where('accessEvents.at', '>=', new Date(from));
  if (to) query = query.where('accessEvents.at', '<', endOf(to));
  return query;
}

/** A page of the access log. */
export function listAccessEvents(
  db: DbOrTx,
  { sort, after, limit, ...filter }: AccessFilter & Page & { sort: AccessSort },
): Promise<(AccessEventRow & { sortValue: number })[]> {
  const query = matching(db, filter)
    .leftJoin('users as account', 'account.id', 'accessEvents.userId')
    .leftJoin('users as staff', 'staff.id', 'accessEvents.staffId')
    .leftJoin('apiKeys', 'apiKeys.id', 'accessEvents.keyId')
    .selectAll('accessEvents')
    .select([
      'account.email as userEmail',
      'account.firstName as userFirstName',
      'account.lastName as userLastName',
      'staff.email as staffEmail',
      'staff.firstName as staffFirstName',
      'staff.lastName as staffLastName',
      'apiKeys.name as keyName',
      'apiKeys.deletedAt as keyDeletedAt',
    ]);
  return readKeysetPage(query, { order: orders[sort], id: 'accessEvents.id', after, limit });
}

export const countAccessEvents = (db: DbOrTx, filter: AccessFilter): Promise<number> => countRows(matching(db, filter));
