import type { AnalyticsPeriod } from '@uprez/contracts/policy/analytics';
import { percentileOf } from '@uprez/contracts/policy/histogram';
import { hasPermission, type Role } from '@uprez/contracts/policy/permissions';
import type { Analytics, AnalyticsDay, Metric } from '@uprez/contracts/schemas/analytics';
import type { Tx } from '@uprez/db/database';
import { type JobDay, type RunTimeBucket, readJobDays, readRunTimes } from '@uprez/db/queries/analytics/read-jobs';
import { readCohorts, readSiteDays, type SiteDay } from '@uprez/db/queries/analytics/read-site';
import { firstOfMonth, listDays } from '@uprez/db/times';
import type { Needs } from '../context.ts';
import { readPeriodRevenue } from './read-revenue.ts';
import { compare, divide, readDays, readSnapshot, splitDays, sumOf } from './read-span.ts';

/** All days from one to another. Accounts stay as many as on the day before. */
function fillDays(
  { from, to }: { from: string; to: string },
  jobs: readonly JobDay[],
  site: readonly SiteDay[],
): AnalyticsDay[] {
  const jobsOf = new Map(jobs.map((row) => [row.day, row]));
  const siteOf = new Map(site.map((row) => [row.day, row]));
  let users = site.findLast(({ day }) => day < from)?.users ?? 0;
  return listDays(from, to).map((day) => {
    const [job, accounts] = [jobsOf.get(day), siteOf.get(day)];
    users = accounts?.users ?? users;
    const { images, apiImages } = job ?? { images: 0, apiImages: 0 };
    return {
      ...{ day, images, webImages: images - apiImages, apiImages },
      failed: job?.failed ?? 0,
      users,
      newUsers: accounts?.newUsers ?? 0,
      verifiedUsers: accounts?.verifiedUsers ?? 0,
      deletedUsers: accounts?.deletedUsers ?? 0,
      activeUsers: accounts?.activeUsers ?? 0,
    };
  });
}

/** A percentile of both periods, over all rows. */
export const compareTimes = (times: readonly RunTimeBucket[], share: number): Metric => {
  const of = (wanted: boolean) =>
    percentileOf(
      times.filter((row) => row.isCurrent === wanted),
      share,
    );
  return { value: of(true), previous: of(false) };
};

type DayParts = ReturnType<typeof splitDays<AnalyticsDay>>;

const sumDays = (parts: DayParts, read: (row: AnalyticsDay) => number): Metric =>
  compare(parts, (rows) => sumOf(rows, read));

const compareUsers = (parts: DayParts): Analytics['users'] => ({
  total: compare(parts, (rows) => rows.at(-1)?.users ?? 0),
  new: sumDays(parts, ({ newUsers }) => newUsers),
  verified: sumDays(parts, ({ verifiedUsers }) => verifiedUsers),
  deleted: sumDays(parts, ({ deletedUsers }) => deletedUsers),
  active: compare(parts, (rows) =>
    divide(
      sumOf(rows, ({ activeUsers }) => activeUsers),
      rows.length,
    ),
  ),
});

/** Analytics of a period. Amounts are left out for roles that don't include them. */
export const readAnalytics = (ctx: Needs<'db'>, query: AnalyticsQuery): Promise<Analytics> =>
  readSnapshot(ctx, (tx) => readAll(tx, query));

type AnalyticsQuery = { role: Role | null; period?: AnalyticsPeriod | undefined };

async function readAll(db: Tx, { role, period }: AnalyticsQuery): Promise<Analytics> {
  const wanted = await readDays(db, period);
  const { previousFrom, to, live } = wanted;
  const month = firstOfMonth(to);
  const [jobs, times, site] = [
    await readJobDays(db, { first: month < previousFrom ? month : previousFrom, live }),
    await readRunTimes(db, wanted),
    await readSiteDays(db, wanted),
  ];
  const cohorts = await readCohorts(db, to);
  const money = hasPermission(role, 'revenue.read') ? await readPeriodRevenue(db, wanted) : undefined;
  const days = fillDays({ from: previousFrom, to }, jobs, site);
  const [jobParts, dayParts] = [splitDays(jobs, wanted), splitDays(days, wanted)];
  const average = compare(jobParts, (rows) =>
    divide(
      sumOf(rows, ({ runMs }) => runMs),
      sumOf(rows, ({ images }) => images),
    ),
  );
  return {
    ...wanted.span,
    overview: {
      totalUsers: days.at(-1)?.users ?? 0,
      monthlyImages: sumOf(
        jobs.filter(({ day }) => day >= month),
        ({ images }) => images,
      ),
      avgProcessingTime: average.value,
      ...(money && { monthlyRevenue: money.monthlyRevenue, totalRevenue: money.totalRevenue }),
    },
    images: sumDays(dayParts, ({ images }) => images),
    processingTime: { average, median: compareTimes(times, 0.5), p95: compareTimes(times, 0.95) },
    users: compareUsers(dayParts),
    days: dayParts.current,
    cohorts,
    ...(money && { revenue: money.revenue }),
  };
}
