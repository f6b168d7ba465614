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

/** A date (UTC) in a query: `2026-11-05`, or an expression. */
export type DayValue = string | RawBuilder<unknown>;

/** Midnight (UTC) at the start of a day, `days` later. */
export const startOf = (day: DayValue, days = 0): RawBuilder<Date> =>
  sql`((${day}::date + ${sql.lit(days)})::timestamp at time zone 'utc')`;

/** Whether a time is on a day (UTC). */
export const isOn = (at: RawBuilder<unknown>, day: DayValue): RawBuilder<boolean> =>
  sql`(${at} >= ${startOf(day)} and ${at} < ${startOf(day, 1)})`;

/** The day (UTC) of a time. */
export const dayOf = (at: RawBuilder<unknown>): RawBuilder<string> => sql`(${at} at time zone 'utc')::date`;

const dayMs = 86_400_000;

/** Returns a day (UTC) `days` later: `2026-11-05`. */
export const shiftDay = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10);

/** The first day of the month of a day. */
export const firstOfMonth = (day: string): string => `${day.slice(0, 7)}-01`;

/** Returns the days from one to another, both included. */
export const listDays = (from: string, to: string): string[] =>
  Array.from({ length: 1 + (Date.parse(to) - Date.parse(from)) / dayMs }, (_, at) => shiftDay(from, at));
