import { dashboardRules } from '@uprez/contracts/policy/dashboard-rules';
import { plans } from '@uprez/contracts/policy/plans';
import type { Dashboard } from '@uprez/contracts/schemas/dashboard';
import {
  countDelivered,
  findDashboardTimes,
  listRecentJobs,
  type RecentJob,
  sumStoredBytes,
} from '@uprez/db/queries/usage/dashboard';
import type { Actor } from '../actor.ts';
import type { Needs } from '../context.ts';
import { readQuota } from '../usage/read-quota.ts';
import { type Forecast, forecastEnd } from './forecast.ts';
import { makeCards } from './trends.ts';

/** The dashboard's data, with its newest jobs as rows. */
export type DashboardFacts = Omit<Dashboard, 'recentActivity' | 'forecast'> & {
  forecast: Forecast[];
  recentJobs: RecentJob[];
};

/**
 * What an account sees of itself: counters of this calendar month (UTC), what its plan has left and for how long, what
 * is stored, the newest jobs.
 */
export async function getDashboard(
  ctx: Needs<'db'>,
  { actor: { accountId, tier } }: { actor: Actor },
): Promise<DashboardFacts> {
  const [delivered, times, storageUsed, recentJobs, quota] = await Promise.all([
    countDelivered(ctx.db, accountId),
    findDashboardTimes(ctx.db, accountId),
    sumStoredBytes(ctx.db, accountId),
    listRecentJobs(ctx.db, accountId, dashboardRules.recentActivity),
    readQuota(ctx, { actor: { accountId } }),
  ]);
  const { startsAt, endsAt } = quota.period;
  return {
    subscriptionTier: tier,
    ...makeCards(delivered, times.hasPrevious),
    storageUsed,
    storageLimit: plans[tier].storageBytes,
    recentJobs,
    quota: quota.meters,
    forecast: quota.meters.flatMap((meter) => forecastEnd({ ...meter, startsAt, resetsAt: endsAt }, times.now) ?? []),
  };
}
