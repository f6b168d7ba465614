import { type AnalyticsPeriod, defaultPeriod, periodDays } from '@uprez/contracts/policy/admin/analytics';
import type { AnalyticsSpan, Metric } from '@uprez/contracts/schemas/admin/analytics';
import type { DbOrTx, Tx } from '@uprez/db/database';
import type { Span } from '@uprez/db/queries/analytics/read-jobs';
import { readStoredDays } from '@uprez/db/queries/analytics/state';
import { listDays, shiftDay } from '@uprez/db/times';
import type { Needs } from '../context.ts';

/** Runs several queries on one snapshot, because their numbers must add up. */
export const readSnapshot = <T>({ db }: Needs<'db'>, read: (tx: Tx) => Promise<T>): Promise<T> =>
  db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(read);

/**
 * Maximum number of recent days that are read live if they haven't been rolled up. Reading more days would make each
 * request too slow.
 */
export const maxLiveDays = 7;

/** `span`: the period as it appears in responses. */
export type PeriodDays = Span & { span: AnalyticsSpan };

/** Returns the days (UTC) of a period that ends today, and of the preceding period of the same length. */
export async function readPeriodDays(db: DbOrTx, period: AnalyticsPeriod = defaultPeriod): Promise<PeriodDays> {
  const { today: to, lastDay, finalUntil } = await readStoredDays(db);
  const days = periodDays[period];
  const from = shiftDay(to, 1 - days);
  const previousFrom = shiftDay(from, -days);
  const oldest = shiftDay(to, 1 - maxLiveDays);
  const rolledUpUntil = lastDay ?? previousFrom;
  const isMissing = rolledUpUntil < oldest;
  const [first = to, ...later] = listDays(isMissing ? oldest : rolledUpUntil, to);
  const missing = isMissing ? { from: rolledUpUntil, to: shiftDay(oldest, -1) } : null;
  const span = { period, from, to, previousFrom, previousTo: shiftDay(from, -1), missing };
  return { previousFrom, from, to, finalUntil: finalUntil ?? previousFrom, live: [first, ...later], span };
}

export function splitByPeriod<Row extends { day: string }>(
  rows: readonly Row[],
  { from, previousFrom }: Pick<PeriodDays, 'from' | 'previousFrom'>,
) {
  return {
    current: rows.filter(({ day }) => day >= from),
    previous: rows.filter(({ day }) => day < from && day >= previousFrom),
  };
}

type PeriodRows<Row> = { current: readonly Row[]; previous: readonly Row[] };

export const comparePeriods = <Row>(
  { current, previous }: PeriodRows<Row>,
  read: (rows: readonly Row[]) => number | null,
): Metric => ({
  value: read(current),
  previous: read(previous),
});

export const sumOf = <Row>(rows: readonly Row[], read: (row: Row) => number): number =>
  rows.reduce((sum, row) => sum + read(row), 0);

/** Divides two numbers. Null if `whole` isn't positive. */
export const divide = (part: number, whole: number): number | null => (whole > 0 ? part / whole : null);
