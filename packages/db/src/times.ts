import { type RawBuilder, sql } from 'kysely';
import type { DbOrTx } from './database.ts';

/** Current time by the database's clock, the only clock that decisions depend on. */
export const now: RawBuilder<Date> = sql<Date>`now()`;

/** The time `seconds` from now by the database's clock. Negative values are in the past. */
export const afterSeconds = (seconds: number): RawBuilder<Date> => sql<Date>`now() + make_interval(secs => ${seconds})`;

/** Today, and the first day of this month, in UTC. */
export const today: RawBuilder<string> = sql<string>`(now() at time zone 'utc')::date`;
export const monthStart: RawBuilder<string> = sql<string>`date_trunc('month', now() at time zone 'utc')::date`;

/** Returns the time of the statement rather than of its transaction, which may have waited. */
export async function readClock(db: DbOrTx): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db);
  return rows[0]?.now ?? Promise.reject(new Error('The database returned no time.'));
}

/** A date (UTC) in a query: a string such as `2026-11-05`, or an SQL expression. */
export type DayValue = string | RawBuilder<unknown>;

/** Returns midnight (UTC) at the start of the day that is `days` after `day`. */
export const startOf = (day: DayValue, days = 0): RawBuilder<Date> =>
  sql`((${day}::date + ${sql.lit(days)})::timestamp at time zone 'utc')`;

/** Whether a time is on a day (UTC). */
export const isOn = (at: RawBuilder<unknown>, day: DayValue): RawBuilder<boolean> =>
  sql`(${at} >= ${startOf(day)} and ${at} < ${startOf(day, 1)})`;

/** Returns the day (UTC) of a time. */
export const dayOf = (at: RawBuilder<unknown>): RawBuilder<string> => sql`(${at} at time zone 'utc')::date`;

const dayMs = 86_400_000;

/** Returns the day (UTC) that is `days` later, such as `2026-11-05`. */
export const shiftDay = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10);

export const firstOfMonth = (day: string): string => `${day.slice(0, 7)}-01`;

/** Returns the days between two days, both inclusive. */
export const listDays = (from: string, to: string): string[] =>
  Array.from({ length: 1 + (Date.parse(to) - Date.parse(from)) / dayMs }, (_, at) => shiftDay(from, at));
