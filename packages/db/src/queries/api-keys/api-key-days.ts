import { sql } from 'kysely';
import type { DbOrTx } from '../../database.ts';
import { monthStart, today } from '../../times.ts';

/** Calls with one key: how many, how many of them failed, and where the last one came from. */
export type KeyCalls = { keyId: string; calls: number; errors: number; address: string };

/** Count calls of a key, of its whole life and of today; those of a key that was deleted meanwhile count for nothing. */
export async function addKeyCalls(db: DbOrTx, { keyId, calls, errors, address }: KeyCalls): Promise<void> {
  await sql`with used as (
      update api_keys set usage_count = usage_count + ${calls}, last_used_at = now(), last_address = ${address}
      where id = ${keyId} returning id
    )
    insert into api_key_days (key_id, day, calls, errors)
    select id, ${today}, ${calls}::integer, ${errors}::integer from used
    on conflict (key_id, day) do update
      set calls = api_key_days.calls + excluded.calls, errors = api_key_days.errors + excluded.errors`.execute(db);
}

/** Count units of a key today. The caller locks the key. */
export async function addKeyUnits(db: DbOrTx, keyId: string, units: number): Promise<void> {
  await sql`insert into api_key_days (key_id, day, units) values (${keyId}, ${today}, ${units})
    on conflict (key_id, day) do update set units = api_key_days.units + excluded.units`.execute(db);
}

/** Subtract the open reservations of jobs or batch items from the days of the API keys that made them. */
export async function subtractReserved(db: DbOrTx, ids: readonly string[]): Promise<void> {
  await sql`
    with spent as (
      select coalesce(jobs.api_key_id, batches.api_key_id) as key_id,
        (reserved.created_at at time zone 'utc')::date as day, -sum(reserved.units) as units
      from ledger reserved
      left join jobs on jobs.id = reserved.job_id
      left join batch_items on batch_items.unit_id = reserved.job_id
      left join batches on batches.id = batch_items.batch_id
      where reserved.job_id = any(${[...ids]}::uuid[]) and reserved.kind = 'reserve'
        and not exists (select from ledger closed where closed.job_id = reserved.job_id and closed.kind in ('settle', 'release'))
      group by 1, 2
    )
    update api_key_days set units = greatest(0, api_key_days.units - spent.units) from spent
    where api_key_days.key_id = spent.key_id and api_key_days.day = spent.day`.execute(db);
}

/** The start of the next month (UTC), when caps reset. */
export async function findNextMonth(db: DbOrTx): Promise<Date> {
  const { rows } = await sql<{ at: Date }>`
    select (${monthStart} + interval '1 month') at time zone 'utc' as at`.execute(db);
  return rows[0]?.at ?? new Date();
}

export type KeyDayRow = { day: string; calls: number; errors: number; units: number };

/** Daily usage of a key (UTC), today last, including days without calls. */
export async function listKeyDays(db: DbOrTx, keyId: string, days: number): Promise<KeyDayRow[]> {
  const { rows } = await sql<KeyDayRow>`
    select to_char(each.day, 'YYYY-MM-DD') as day,
      coalesce(calls, 0) as calls, coalesce(errors, 0) as errors, coalesce(units, 0) as units
    from generate_series(${today} - ${days - 1}::integer, ${today}, interval '1 day') as each(day)
    left join api_key_days on key_id = ${keyId} and api_key_days.day = each.day::date
    order by each.day`.execute(db);
  return rows;
}
