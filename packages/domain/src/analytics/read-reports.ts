import type { AnalyticsPeriod } from '@uprez/contracts/policy/analytics';
import { engineNames } from '@uprez/contracts/policy/engines';
import { percentileOf } from '@uprez/contracts/policy/histogram';
import type { AnalyticsReports, EngineReport } from '@uprez/contracts/schemas/analytics';
import type { Tx } from '@uprez/db/database';
import {
  type JobGroup,
  readFailures,
  readJobGroups,
  readTimes,
  type TimeBucket,
} from '@uprez/db/queries/analytics/read-jobs';
import type { Needs } from '../context.ts';
import { compareTimes } from './read-analytics.ts';
import { compare, divide, readSnapshot, readSpan, sumOf } from './read-span.ts';

const successOf = (rows: readonly JobGroup[]) => {
  const completed = sumOf(rows, (row) => row.completed);
  return divide(completed, completed + sumOf(rows, ({ failed }) => failed));
};

function reportEngine(engine: string, groups: readonly JobGroup[], times: readonly TimeBucket[]): EngineReport {
  const percentiles = (measure: TimeBucket['measure']) => {
    const buckets = times.filter((row) => row.engine === engine && row.measure === measure && row.isCurrent);
    return { p50: percentileOf(buckets, 0.5), p95: percentileOf(buckets, 0.95) };
  };
  return {
    engine,
    completed: sumOf(groups, ({ completed }) => completed),
    failed: sumOf(groups, ({ failed }) => failed),
    successShare: successOf(groups),
    wait: percentiles('wait'),
    run: percentiles('run'),
    engineMs: sumOf(groups, ({ engineMs }) => engineMs),
  };
}

/** Failures, times, and success of a period, by engine. Engines come in the order of the product, others last. */
export const readReports = (
  ctx: Needs<'db'>,
  { period }: { period?: AnalyticsPeriod | undefined },
): Promise<AnalyticsReports> => readSnapshot(ctx, (tx) => readAll(tx, period));

async function readAll(db: Tx, period: AnalyticsPeriod | undefined): Promise<AnalyticsReports> {
  const span = await readSpan(db, period);
  const groups = await readJobGroups(db, span);
  const times = await readTimes(db, span);
  const failures = await readFailures(db, span);
  const parts = {
    current: groups.filter(({ isCurrent }) => isCurrent),
    previous: groups.filter(({ isCurrent }) => !isCurrent),
  };
  const used = new Set(parts.current.map(({ engine }) => engine));
  const known: readonly string[] = engineNames;
  const engines = [...known.filter((name) => used.has(name)), ...[...used].filter((name) => !known.includes(name))];
  const percentiles = (measure: TimeBucket['measure']) => ({
    p50: compareTimes(times, measure, 0.5),
    p95: compareTimes(times, measure, 0.95),
  });
  return {
    ...span,
    successShare: compare(parts, successOf),
    wait: percentiles('wait'),
    run: percentiles('run'),
    engineMs: compare(parts, (rows) => sumOf(rows, ({ engineMs }) => engineMs)),
    engines: engines.map((engine) => {
      const own = parts.current.filter((row) => row.engine === engine);
      return reportEngine(engine, own, times);
    }),
    failures,
  };
}
