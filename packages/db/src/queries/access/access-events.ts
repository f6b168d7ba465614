import { isIP } from 'node:net';
import type { AccessFilterKind, AccessSort, StatusClass } from '@uprez/contracts/policy/admin/logs';
import { type Insertable, type Selectable, type SqlBool, sql } from 'kysely';
import { containsPattern, hasText, isNotServiceAccount } from '../../conditions.ts';
import type { DbOrTx } from '../../database.ts';
import { countRows, makeOrders, type Page, readKeysetPage } from '../../keyset.ts';
import type { AccessEventsTable } from '../../tables/access-tables.ts';
import { afterSeconds } from '../../times.ts';

/** A new event of the access log. IDs of accounts and keys that no longer exist are stored as null. */
export type NewAccessEvent = Omit<Insertable<AccessEventsTable>, 'at' | 'count' | 'groupKey' | 'newDevice' | 'id'> & {
  newDevice: boolean;
};

/**
 * `ageS`: seconds since the event. `group`: key of the requests that share one row per minute. Null if the event has
 * its own row.
 */
export type AccessRecord = { event: NewAccessEvent; ageS: number; count: number; group: string | null };

const toJson = ({ event, ageS, count, group }: AccessRecord) => ({
  kind: event.kind,
  user_id: event.userId,
  staff_id: event.staffId,
  key_id: event.keyId,
  address: event.address,
  network: event.network,
  agent: event.agent,
  country: event.country,
  method: event.method,
  path: event.path,
  status: event.status,
  request_id: event.requestId,
  new_device: event.newDevice,
  age_s: ageS,
  count,
  grouped: group,
});

const givenRecords = (records: readonly AccessRecord[]) => sql`
  jsonb_to_recordset(${JSON.stringify(records.map(toJson))}::jsonb) as given (
    kind text, user_id uuid, staff_id uuid, key_id uuid, address text, network text, agent text, country text, method text,
    path text, status integer, request_id text, new_device boolean, age_s double precision, count integer, grouped text)`;

const columns = sql.raw(
  'at, kind, user_id, staff_id, key_id, address, network, agent, country, method, path, status, request_id, new_device',
);
const eventTime = sql`now() - make_interval(secs => given.age_s)`;
// Locks an account before its other rows, in the same order as the deletion of an account. Otherwise, the two
// transactions could deadlock.
const values = sql`${eventTime}, given.kind, (select id from users where id = given.user_id for key share),
  (select id from users where id = given.staff_id for key share), (select id from api_keys where id = given.key_id),
  given.address, given.network, given.agent, given.country, given.method, given.path, given.status, given.request_id,
  given.new_device`;

/** Inserts events in one statement. Events with a `group` are added to the group's row for that minute. */
export async function insertAccessEvents(db: DbOrTx, records: readonly AccessRecord[]): Promise<void> {
  // Sorted, because two gateways that update the same rows in different orders could deadlock.
  await sql`
    insert into access_events (${columns}, count, group_key)
    select ${values}, given.count, given.grouped || ':' || floor(extract(epoch from ${eventTime}) / 60)
    from ${givenRecords(records)} where ${isNotServiceAccount(sql`given.user_id`)}
    order by given.grouped nulls first, given.age_s desc
    on conflict (group_key) where group_key is not null
      do update set count = access_events.count + excluded.count`.execute(db);
}

/**
 * Counts calls with API keys by hour, and inserts an event for each network from which a key is used for the first
 * time. `count`: number of calls in a record. Calls with keys of deleted accounts aren't counted.
 */
export async function insertKeyUses(db: DbOrTx, records: readonly AccessRecord[]): Promise<void> {
  await sql`
    with given as (select given.* from ${givenRecords(records)} join api_keys on api_keys.id = given.key_id
      where ${isNotServiceAccount(sql`api_keys.account_id`)}
        and (given.user_id is null or exists (select from users where id = given.user_id for key share))),
    networks as (
      insert into api_key_networks (key_id, network)
      select distinct key_id, network from given where network is not null order by key_id, network
      on conflict (key_id, network) do update set last_seen_at = now()
        where api_key_networks.last_seen_at < now() - interval '1 hour'
      returning key_id, network, xmax = 0 as is_new
    ),
    hours as (
      insert into api_key_hours (key_id, hour, calls)
      select key_id, date_trunc('hour', now(), 'UTC'), sum(count) from given group by key_id order by key_id
      on conflict (key_id, hour) do update set calls = api_key_hours.calls + excluded.calls
    )
    insert into access_events (${columns})
    select ${values} from given join networks using (key_id, network) where networks.is_new`.execute(db);
}

/**
 * Deletes access events, API key usage, anomalies, and deleted keys older than `ageS` seconds. Returns the number of
 * deleted events.
 */
export async function deleteOldAccessData(db: DbOrTx, ageS: number): Promise<number> {
  const before = afterSeconds(-ageS);
  await db.deleteFrom('apiKeyHours').where('hour', '<', before).execute();
  await db.deleteFrom('apiKeyNetworks').where('lastSeenAt', '<', before).execute();
  await db.deleteFrom('anomalies').where('foundAt', '<', before).execute();
  await db.deleteFrom('apiKeys').where('deletedAt', '<', before).execute();
  const { numDeletedRows } = await db.deleteFrom('accessEvents').where('at', '<', before).executeTakeFirst();
  return Number(numDeletedRows);
}

/** Removes IP addresses and user agents from the events of an account that is being deleted. Their networks remain. */
export const clearAccessOfUser = (db: DbOrTx, userId: string) =>
  db
    .updateTable('accessEvents')
    .set({ address: null, agent: null })
    // Skips administrators' calls about the account, because those calls came from the administrators' IP addresses.
    .where((eb) => eb.or([eb('staffId', '=', userId), eb('userId', '=', userId).and('staffId', 'is', null)]))
    .execute();

export type AccessFilter = {
  search?: string | undefined;
  /** Undefined means all events except administrators' read-only calls. */
  kind?: AccessFilterKind | undefined;
  status?: StatusClass | undefined;
  /** ID of an account or an administrator. */
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

const orders = makeOrders({ at: { column: 'accessEvents.at', type: 'time' } });

function matchesSearch(search: string) {
  if (isIP(search) !== 0) return sql<SqlBool>`access_events.address = ${search}`;
  if (/^[0-9a-f.:]+\/(24|48)$/i.test(search)) return sql<SqlBool>`access_events.network = ${search}`;
  const people = sql`select id from users where ${hasText(search, false)}`;
  const pattern = containsPattern(search);
  return sql<SqlBool>`(
    access_events.user_id in (${people}) or access_events.staff_id in (${people})
    or access_events.path ilike ${pattern} or access_events.agent ilike ${pattern} or access_events.request_id = ${search})`;
}

const dayMs = 86_400_000;
/** Returns the exclusive upper bound for `to`: the end of the day (UTC) for a date, or the time itself for a time. */
const exclusiveEndOf = (to: string) => new Date(Date.parse(to) + (/^\d{4}-\d\d-\d\d$/.test(to) ? dayMs : 0));

const isNotReadOnly = sql<SqlBool>`not (access_events.kind = 'admin_call' and access_events.method in ('GET', 'HEAD'))`;

function selectMatchingEvents(db: DbOrTx, { search, kind, status, user, key, address, from, to }: AccessFilter) {
  let query = db.selectFrom('accessEvents');
  if (search) query = query.where(matchesSearch(search));
  if (kind === undefined) query = query.where(isNotReadOnly);
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
  if (to) query = query.where('accessEvents.at', '<', exclusiveEndOf(to));
  return query;
}

export function listAccessEvents(
  db: DbOrTx,
  { sort, after, limit, ...filter }: AccessFilter & Page & { sort: AccessSort },
): Promise<(AccessEventRow & { sortValue: number })[]> {
  const query = selectMatchingEvents(db, filter)
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

export const countAccessEvents = (db: DbOrTx, filter: AccessFilter): Promise<number> =>
  countRows(selectMatchingEvents(db, filter));
