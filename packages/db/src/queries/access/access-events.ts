import type { Insertable } from 'kysely';
import { sql } from 'kysely';
import type { DbOrTx } from '../../database.ts';
import { isNoService } from '../../is-no-service.ts';
import type { AccessEventsTable } from '../../tables/access-tables.ts';
import { afterSeconds } from '../../times.ts';

/** An event of the access log as it is written. IDs of accounts and keys that were deleted meanwhile are left out. */
export type NewAccessEvent = Omit<Insertable<AccessEventsTable>, 'at' | 'count' | 'groupKey' | 'newDevice' | 'id'> & {
  newDevice: boolean;
};

/** `ageS`: seconds since the event. `group`: what requests have in common that share a row per minute. */
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

const given = (records: readonly AccessRecord[]) => sql`
  jsonb_to_recordset(${JSON.stringify(records.map(toJson))}::jsonb) as given (
    kind text, user_id uuid, staff_id uuid, key_id uuid, address text, network text, agent text, country text, method text,
    path text, status integer, request_id text, new_device boolean, age_s double precision, count integer, grouped text)`;

const columns = sql.raw(
  'at, kind, user_id, staff_id, key_id, address, network, agent, country, method, path, status, request_id, new_device',
);
const at = sql`now() - make_interval(secs => given.age_s)`;
// Locks an account before anything of it, as its deletion does. Otherwise, the two could deadlock.
const values = sql`${at}, given.kind, (select id from users where id = given.user_id for key share),
  (select id from users where id = given.staff_id for key share), (select id from api_keys where id = given.key_id),
  given.address, given.network, given.agent, given.country, given.method, given.path, given.status, given.request_id,
  given.new_device`;

/** Writes events in one statement. Those of a group add to the row of their minute. */
export async function insertAccessEvents(db: DbOrTx, records: readonly AccessRecord[]): Promise<void> {
  // Sorted, because two gateways that update the same rows in another order would deadlock.
  await sql`
    insert into access_events (${columns}, count, group_key)
    select ${values}, given.count, given.grouped || ':' || floor(extract(epoch from ${at}) / 60)
    from ${given(records)} where ${isNoService(sql`given.user_id`)}
    order by given.grouped nulls first, given.age_s desc
    on conflict (group_key) where group_key is not null
      do update set count = access_events.count + excluded.count`.execute(db);
}

/**
 * Counts calls with API keys by hour, and writes an event for each network that a key is used from for the first time.
 * `count` of a record: its calls. Keys of accounts that were deleted meanwhile count for nothing.
 */
export async function insertKeyUses(db: DbOrTx, records: readonly AccessRecord[]): Promise<void> {
  await sql`
    with given as (select given.* from ${given(records)} join api_keys on api_keys.id = given.key_id
      where ${isNoService(sql`api_keys.account_id`)}
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

/** Deletes events, what is known about API keys, and deleted keys, older than `ageS`. Returns how many events. */
export async function deleteOldAccess(db: DbOrTx, ageS: number): Promise<number> {
  const before = afterSeconds(-ageS);
  await db.deleteFrom('apiKeyHours').where('hour', '<', before).execute();
  await db.deleteFrom('apiKeyNetworks').where('lastSeenAt', '<', before).execute();
  await db.deleteFrom('anomalies').where('foundAt', '<', before).execute();
  await db.deleteFrom('apiKeys').where('deletedAt', '<', before).execute();
  const { numDeletedRows } = await db.deleteFrom('accessEvents').where('at', '<', before).executeTakeFirst();
  return Number(numDeletedRows);
}

/** Removes what identifies a person from the events of an account that is deleted. Their networks remain. */
export const clearAccessOf = (db: DbOrTx, userId: string) =>
  db
    .updateTable('accessEvents')
    .set({ address: null, agent: null })
    // Calls of administrators about the account came from their own IP addresses.
    .where((eb) => eb.or([eb('staffId', '=', userId), eb('userId', '=', userId).and('staffId', 'is', null)]))
    .execute();
