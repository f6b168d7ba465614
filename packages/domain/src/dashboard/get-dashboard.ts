import { dashboardRules } from '@uprez/contracts/policy/admin/dashboard-rules';
import type { Meter } from '@uprez/contracts/policy/plans/meters';
import type { Dashboard, Trend } from '@uprez/contracts/schemas/dashboard';
import {
  countDeliveredImages,
  type DeliveryCount,
  findDashboardTimes,
  listRecentJobs,
  type RecentJob,
  sumStoredBytes,
} from '@uprez/db/queries/usage/usage';
import type { Actor } from '../actor.ts';
import type { Needs } from '../context.ts';
import { readQuota } from '../usage/read-quota.ts';

export type DashboardFacts = Omit<Dashboard, 'recentActivity' | 'forecast'> & {
  forecast: Forecast[];
  recentJobs: RecentJob[];
};

/** Returns an account's counters for this month (UTC), quota, storage, and newest jobs. */
export async function getDashboard(ctx: Needs<'db'>, { actor }: { actor: Actor }) {
  const { accountId, plan } = actor;
  const [delivered, times, storageUsed, recentJobs, quota] = await Promise.all([
    countDeliveredImages(ctx.db, accountId),
    findDashboardTimes(ctx.db, accountId),
    sumStoredBytes(ctx.db, accountId),
    listRecentJobs(ctx.db, accountId, dashboardRules.recentActivity),
    readQuota(ctx, { actor }),
  ]);
  const { startsAt, endsAt } = quota.period;
  return {
    subscriptionTier: quota.tier,
    planVersion: quota.planVersion,
    ...makeCards(delivered, times.hasPrevious),
    storageUsed,
    storageLimit: plan.storageBytes,
    recentJobs,
    quota: quota.meters,
    forecast: quota.meters.flatMap(
      (meter) => forecastDepletion({ ...meter, startsAt, resetsAt: endsAt }, times.now) ?? [],
    ),
  };
}

type Totals = { images: number; ms: number };
type Surface = DeliveryCount['surface'];

function sumTotals(delivered: readonly DeliveryCount[], isCurrent: boolean, surface?: Surface): Totals {
  const rows = delivered.filter((row) => row.isCurrent === isCurrent && (!surface || row.surface === surface));
  const sum = (pick: (row: DeliveryCount) => number) => rows.reduce((all, row) => all + pick(row), 0);
  return { images: sum((row) => row.images), ms: sum((row) => row.ms) };
}

const averageMsOf = ({ images, ms }: Totals) => (images > 0 ? Math.round(ms / images) : null);

/**
 * Returns the change from `previous` to `current` as a percentage of `previous`, to one decimal place. Undefined if a
 * value is null or `previous` is 0.
 */
function toTrend(current: number | null, previous: number | null): Trend | undefined {
  if (current === null || !previous) return undefined;
  return { current, previous, change: Math.round((1_000 * (current - previous)) / previous) / 10 };
}

type Cards = Pick<Dashboard, 'imagesProcessed' | 'apiCalls' | 'avgProcessingTime' | 'trends'>;

/** Omits trends that can't be computed. `hasPrevious`: whether the account existed for the whole previous period. */
export function makeCards(delivered: readonly DeliveryCount[], hasPrevious: boolean): Cards {
  const count = (isCurrent: boolean, surface: Surface) => sumTotals(delivered, isCurrent, surface).images;
  const average = (isCurrent: boolean) => averageMsOf(sumTotals(delivered, isCurrent));
  const trends = {
    imagesProcessed: toTrend(count(true, 'web'), count(false, 'web')),
    apiCalls: toTrend(count(true, 'api'), count(false, 'api')),
    avgProcessingTime: toTrend(average(true), average(false)),
  };
  return {
    imagesProcessed: count(true, 'web'),
    apiCalls: count(true, 'api'),
    avgProcessingTime: average(true),
    trends: hasPrevious ? trends : {},
  };
}

export type MeterUsage = { meter: Meter; used: number; left: number; startsAt: Date; resetsAt: Date };
export type Forecast = { meter: Meter; endsAt: Date };

const dayMs = 86_400_000;

/**
 * Returns when the quota will run out if usage continues at this period's rate. Undefined if the quota will last until
 * the reset or is already used up, or if it is too early to tell.
 */
export function forecastDepletion(
  { meter, used, left, startsAt, resetsAt }: MeterUsage,
  now: Date,
): Forecast | undefined {
  const elapsedMs = Number(now) - Number(startsAt);
  if (elapsedMs < dashboardRules.forecastDays * dayMs || used <= 0 || left <= 0) return undefined;
  const endsAt = new Date(Number(now) + (left * elapsedMs) / used);
  return endsAt < resetsAt ? { meter, endsAt } : undefined;
}
