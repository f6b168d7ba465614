import { type RawBuilder, sql } from 'kysely';
import type { DbOrTx } from './database.ts';

/** The database's clock: the only one that decides anything. */
export const now: RawBuilder<Date> = sql<Date>`now()`;

/** A moment `seconds` from now by the database's clock; negative for the past. */
export const afterSeconds = (seconds: number): RawBuilder<Date> => sql<Date>`now() + make_interval(secs => ${seconds})`;

/** Today, and the first day of this month, in UTC. */
export const today: RawBuilder<string> = sql<string>`(now() at time zone 'utc')::date`;
export const monthStart: RawBuilder<string> = sql<string>`date_trunc('month', now() at time zone 'utc')::date`;

/** The time of this statement, as its transaction may have waited. */
export async function readClock(db: DbOrTx): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db);
  return rows[0]?.now ?? Promise.reject(new Error('The database returned no time.'));
}
