import type { AnalyticsPeriod } from '@uprez/contracts/policy/admin/analytics';
import { percentileOf } from '@uprez/contracts/policy/admin/histogram';
import { hasPermission, type Role } from '@uprez/contracts/policy/admin/permissions';
import { engineNames } from '@uprez/contracts/policy/images/engines';
import type { AnalyticsReports, EngineReport } from '@uprez/contracts/schemas/admin/analytics';
import type { SiteSettings } from '@uprez/contracts/schemas/admin/settings';
import type { Tx } from '@uprez/db/database';
import {
  type EngineJobs,
  readEngineJobs,
  readFailures,
  readTimes,
  type TimeBucket,
} from '@uprez/db/queries/analytics/read-jobs';
import type { Needs } from '../context.ts';
import { compareTimes } from './read-analytics.ts';
import { comparePeriods, divide, readPeriodDays, readSnapshot, sumOf } from './read-span.ts';

const successRateOf = (rows: readonly EngineJobs[]) => {
  const completed = sumOf(rows, (row) => row.completed);
  return divide(completed, completed + sumOf(rows, ({ failed }) => failed));
};

type EngineRows = { groups: readonly EngineJobs[]; times: readonly TimeBucket[]; prices: HourPrices | undefined };

function reportEngine(engine: string, { groups, times, prices }: EngineRows): EngineReport {
  const percentiles = (measure: TimeBucket['measure']) => {
    const buckets = times.filter((row) => row.engine === engine && row.measure === measure && row.isCurrent);
    return { p50: percentileOf(buckets, 0.5), p95: percentileOf(buckets, 0.95) };
  };
  return {
    engine,
    completed: sumOf(groups, ({ completed }) => completed),
    failed: sumOf(groups, ({ failed }) => failed),
    successShare: successRateOf(groups),
    wait: percentiles('wait'),
    run: percentiles('run'),
    engineMs: sumOf(groups, ({ engineMs }) => engineMs),
    ...(prices && { hourPrice: prices.get(engine) ?? null, ...computeCosts(groups, prices) }),
  };
}

type ReportsQuery = { role: Role | null; period?: AnalyticsPeriod | undefined };

/**
 * Returns the failures, times, and success rates for a period. Lists engines in product order, followed by unknown
 * ones. Omits costs if the role doesn't permit reading revenue.
 */
export async function readReports(
  ctx: Needs<'db' | 'settings'>,
  { role, period }: ReportsQuery,
): Promise<AnalyticsReports> {
  const prices = hasPermission(role, 'revenue.read') ? readHourPrices(await ctx.settings.read('site')) : undefined;
  return readSnapshot(ctx, (tx) => queryReports(tx, period, prices));
}

type PeriodJobs = { current: readonly EngineJobs[]; previous: readonly EngineJobs[] };

function compareCosts(
  { current, previous }: PeriodJobs,
  prices: HourPrices,
): Pick<AnalyticsReports, 'cost' | 'costPerImage'> {
  const [now, before] = [computeCosts(current, prices), computeCosts(previous, prices)];
  return {
    cost: { value: now.cost, previous: before.cost },
    costPerImage: { value: now.costPerImage, previous: before.costPerImage },
  };
}

async function queryReports(
  db: Tx,
  period: AnalyticsPeriod | undefined,
  prices: HourPrices | undefined,
): Promise<AnalyticsReports> {
  const days = await readPeriodDays(db, period);
  const groups = await readEngineJobs(db, days);
  const times = await readTimes(db, days);
  const failures = await readFailures(db, days);
  const parts = {
    current: groups.filter(({ isCurrent }) => isCurrent),
    previous: groups.filter(({ isCurrent }) => !isCurrent),
  };
  const used = new Set(parts.current.map(({ engine }) => engine));
  const known: readonly string[] = engineNames;
  const engines = [...known.filter((name) => used.has(name)), ...[...used].filter((name) => !known.includes(name))];
  const percentiles = (measure: TimeBucket['measure']) => {
    const measured = times.filter((row) => row.measure === measure);
    return { p50: compareTimes(measured, 0.5), p95: compareTimes(measured, 0.95) };
  };
  return {
    ...days.span,
    successShare: comparePeriods(parts, successRateOf),
    wait: percentiles('wait'),
    run: percentiles('run'),
    engineMs: comparePeriods(parts, (rows) => sumOf(rows, ({ engineMs }) => engineMs)),
    ...(prices && compareCosts(parts, prices)),
    engines: engines.map((engine) => {
      const own = parts.current.filter((row) => row.engine === engine);
      return reportEngine(engine, { groups: own, times, prices });
    }),
    failures,
  };
}

const hourMs = 3_600_000;

/** Removes floating-point errors. */
const round = (dollars: number) => Math.round(dollars * 1e8) / 1e8;

/** Price per engine hour in US dollars, by engine. */
type HourPrices = ReadonlyMap<string, number>;

const readHourPrices = ({ engineHourCosts }: Pick<SiteSettings, 'engineHourCosts'>): HourPrices =>
  new Map(Object.entries(engineHourCosts).map(([engine, cents]) => [engine, cents / 100]));

/**
 * Computes the cost of engine time in US dollars, in total and per delivered image: engine hours times the price per
 * hour. Excludes engines without a price from both. Both are null if no engine with a price has jobs. The cost per
 * image is also null if no image was delivered.
 */
function computeCosts(groups: readonly EngineJobs[], prices: HourPrices) {
  const priced = groups.filter(({ engine }) => prices.has(engine));
  if (priced.length === 0) return { cost: null, costPerImage: null };
  const cost = sumOf(priced, ({ engine, engineMs }) => (engineMs / hourMs) * (prices.get(engine) ?? 0));
  const perImage = divide(
    cost,
    sumOf(priced, ({ completed }) => completed),
  );
  return { cost: round(cost), costPerImage: perImage === null ? null : round(perImage) };
}
