import { type AnalyticsPeriod, defaultPeriod, periodDays } from '@uprez/contracts/policy/analytics';
import type { Metric } from '@uprez/contracts/schemas/analytics';
import type { DbOrTx, Tx } from '@uprez/db/database';
import { findDay } from '@uprez/db/queries/usage/usage';
import type { Needs } from '../context.ts';
import { shiftDay } from './days.ts';

/** Reads several queries at one moment, so that their numbers add up. */
export const readSnapshot = <T>({ db }: Needs<'db'>, read: (tx: Tx) => Promise<T>): Promise<T> =>
  db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(read);

export type AnalyticsSpan = {
  period: AnalyticsPeriod;
  from: string;
  to: string;
  previousFrom: string;
  previousTo: string;
};

/** The days (UTC) of a period that ends today, and those of the equally long one before it. */
export async function readSpan(db: DbOrTx, period: AnalyticsPeriod = defaultPeriod): Promise<AnalyticsSpan> {
  const to = await findDay(db);
  const days = periodDays[period];
  const from = shiftDay(to, 1 - days);
  return { period, from, to, previousFrom: shiftDay(from, -days), previousTo: shiftDay(from, -1) };
}

/** Splits rows into those of the period and those before it. */
export function splitDays<Row extends { day: string }>(rows: readonly Row[], { from, previousFrom }: AnalyticsSpan) {
  return {
    current: rows.filter(({ day }) => day >= from),
    previous: rows.filter(({ day }) => day < from && day >= previousFrom),
  };
}

type Parts<Row> = { current: readonly Row[]; previous: readonly Row[] };

/** A number of both periods. */
export const compare = <Row>(
  { current, previous }: Parts<Row>,
  read: (rows: readonly Row[]) => number | null,
): Metric => ({
  value: read(current),
  previous: read(previous),
});

export const sumOf = <Row>(rows: readonly Row[], read: (row: Row) => number): number =>
  rows.reduce((sum, row) => sum + read(row), 0);

/** Null over 0. */
export const divide = (part: number, whole: number): number | null => (whole > 0 ? part / whole : null);
