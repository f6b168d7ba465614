import type { AnalyticsPeriod } from '@uprez/contracts/policy/admin/analytics';
import { percentileOf } from '@uprez/contracts/policy/admin/histogram';
import { hasPermission, type Role } from '@uprez/contracts/policy/admin/permissions';
import { tiers } from '@uprez/contracts/policy/plans/plans';
import type {
  Analytics,
  AnalyticsDay,
  Metric,
  PlanRevenue,
  RevenueDay,
} from '@uprez/contracts/schemas/admin/analytics';
import type { DbOrTx, Tx } from '@uprez/db/database';
import {
  type JobDay,
  type RunTimeBucket,
  readJobDays,
  readRunTimes,
  type Span,
} from '@uprez/db/queries/analytics/read-jobs';
import {
  type MoneyDay,
  readCohorts,
  readMoneyDays,
  readPlanMoney,
  readSiteDays,
  type SiteDay,
} from '@uprez/db/queries/analytics/read-site';
import { readRevenue } from '@uprez/db/queries/billing/admin/revenue';
import { firstOfMonth, listDays } from '@uprez/db/times';
import type { Needs } from '../context.ts';
import { comparePeriods, divide, readPeriodDays, readSnapshot, splitByPeriod, sumOf } from './read-span.ts';

/** Fills in days without data. Their total number of accounts is carried over from the day before. */
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

/**
 * Computes a percentile for the current and the previous period. `share`: the percentile as a fraction, such as 0.95.
 */
export const compareTimes = (times: readonly RunTimeBucket[], share: number): Metric => {
  const of = (wanted: boolean) =>
    percentileOf(
      times.filter((row) => row.isCurrent === wanted),
      share,
    );
  return { value: of(true), previous: of(false) };
};

type DayParts = ReturnType<typeof splitByPeriod<AnalyticsDay>>;

const sumDays = (parts: DayParts, read: (row: AnalyticsDay) => number): Metric =>
  comparePeriods(parts, (rows) => sumOf(rows, read));

const compareUsers = (parts: DayParts): Analytics['users'] => ({
  total: comparePeriods(parts, (rows) => rows.at(-1)?.users ?? 0),
  new: sumDays(parts, ({ newUsers }) => newUsers),
  verified: sumDays(parts, ({ verifiedUsers }) => verifiedUsers),
  deleted: sumDays(parts, ({ deletedUsers }) => deletedUsers),
  active: comparePeriods(parts, (rows) =>
    divide(
      sumOf(rows, ({ activeUsers }) => activeUsers),
      rows.length,
    ),
  ),
});

/** Returns the analytics for a period. Omits amounts if the role doesn't permit reading them. */
export const readAnalytics = (ctx: Needs<'db'>, query: AnalyticsQuery): Promise<Analytics> =>
  readSnapshot(ctx, (tx) => readAllMetrics(tx, query));

type AnalyticsQuery = { role: Role | null; period?: AnalyticsPeriod | undefined };

async function readAllMetrics(db: Tx, { role, period }: AnalyticsQuery): Promise<Analytics> {
  const wanted = await readPeriodDays(db, period);
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
  const [jobParts, dayParts] = [splitByPeriod(jobs, wanted), splitByPeriod(days, wanted)];
  const average = comparePeriods(jobParts, (rows) =>
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

/** Four decimals, because the monthly share of a yearly plan includes fractions of a cent. */
const toDollars = (cents: number): number => Math.round(cents * 100) / 10_000;

type MrrBalance = { mrr: number; accounts: number };
type FilledMoneyDay = Omit<MoneyDay, keyof MrrBalance> & MrrBalance;

const getPlanPosition = (plan: string) => [...tiers, 'pack'].indexOf(plan);

const emptyMoneyDay = {
  newMrr: 0,
  expansion: 0,
  contraction: 0,
  churn: 0,
  reactivation: 0,
  lostAccounts: 0,
  gross: 0,
  refunds: 0,
};

/**
 * Returns every day up to `to`, starting at `from` or at the first row if that's earlier. A day without a booking keeps
 * the MRR and the number of accounts from the day before.
 */
function fillMoneyDays(rows: readonly MoneyDay[], from: string, to: string): FilledMoneyDay[] {
  const known = new Map(rows.map((row) => [row.day, row]));
  const first = rows[0]?.day ?? from;
  let last: MrrBalance = { mrr: 0, accounts: 0 };
  return listDays(first < from ? first : from, to).map((day) => {
    const row = known.get(day);
    last = { mrr: row?.mrr ?? last.mrr, accounts: row?.accounts ?? last.accounts };
    return { ...emptyMoneyDay, ...row, day, ...last };
  });
}

const presentDay = ({ lostAccounts: _, accounts, day, ...cents }: FilledMoneyDay): RevenueDay => ({
  day,
  accounts,
  gross: toDollars(cents.gross),
  refunds: toDollars(cents.refunds),
  mrr: toDollars(cents.mrr),
  newMrr: toDollars(cents.newMrr),
  expansion: toDollars(cents.expansion),
  reactivation: toDollars(cents.reactivation),
  contraction: toDollars(cents.contraction),
  churn: toDollars(cents.churn),
});

async function readPeriodRevenue(db: DbOrTx, span: Span) {
  const totals = await readRevenue(db);
  const all = fillMoneyDays(await readMoneyDays(db, span), span.previousFrom, span.to);
  const plans = await readPlanMoney(db, span);
  const current = all.filter(({ day }) => day >= span.from);
  const previous = all.filter(({ day }) => day < span.from && day >= span.previousFrom);
  const balanceBefore = (day: string): MrrBalance => all.findLast((row) => row.day < day) ?? { mrr: 0, accounts: 0 };
  const [start, end] = [balanceBefore(span.from), all.at(-1) ?? { mrr: 0, accounts: 0 }];
  const before = balanceBefore(span.previousFrom);
  const total = (read: (row: FilledMoneyDay) => number) => toDollars(sumOf(current, read));
  const net = (rows: readonly FilledMoneyDay[]) => toDollars(sumOf(rows, ({ gross, refunds }) => gross - refunds));
  const lost = (rows: readonly FilledMoneyDay[]) => sumOf(rows, ({ lostAccounts }) => lostAccounts);
  const lostMrr = (rows: readonly FilledMoneyDay[]) => sumOf(rows, ({ churn, contraction }) => churn + contraction);
  const arpu = ({ mrr, accounts }: MrrBalance) => divide(toDollars(mrr), accounts);
  const revenue: NonNullable<Analytics['revenue']> = {
    received: { value: net(current), previous: net(previous) },
    mrr: { value: toDollars(end.mrr), previous: toDollars(start.mrr) },
    movements: {
      start: toDollars(start.mrr),
      new: total(({ newMrr }) => newMrr),
      expansion: total(({ expansion }) => expansion),
      reactivation: total(({ reactivation }) => reactivation),
      contraction: total(({ contraction }) => contraction),
      churn: total(({ churn }) => churn),
      end: toDollars(end.mrr),
    },
    payingAccounts: { value: end.accounts, previous: start.accounts },
    arpu: { value: arpu(end), previous: arpu(start) },
    accountChurn: { value: divide(lost(current), start.accounts), previous: divide(lost(previous), before.accounts) },
    mrrChurn: { value: divide(lostMrr(current), start.mrr), previous: divide(lostMrr(previous), before.mrr) },
    activeSubscriptions: totals.live,
    plans: plans
      .toSorted((a, b) => getPlanPosition(a.plan) - getPlanPosition(b.plan))
      .map(({ plan, accounts, mrr, revenue: cents }) => ({
        plan: plan as PlanRevenue['plan'],
        accounts,
        mrr: toDollars(mrr),
        revenue: toDollars(cents),
      })),
    days: current.map(presentDay),
  };
  return { revenue, monthlyRevenue: toDollars(totals.month), totalRevenue: toDollars(totals.total) };
}
