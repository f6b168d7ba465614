import { type RawBuilder, sql } from 'kysely';

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
