import { plans, tiers } from '@uprez/contracts/policy/plans';
import type { AdminStats } from '@uprez/contracts/schemas/admin';
import { countActiveOnTiers, countUsers } from '@uprez/db/queries/accounts/admin-users';
import type { Needs } from '../context.ts';

const paidTiers = tiers.filter((tier) => plans[tier].price > 0);

/** The totals of the site. Nobody can pay yet, so no revenue was made: tiers are given by administrators. */
export async function getStats(ctx: Needs<'db'>): Promise<AdminStats> {
  const [totalUsers, activeSubscriptions] = await Promise.all([
    countUsers(ctx.db),
    countActiveOnTiers(ctx.db, paidTiers),
  ]);
  return { totalUsers, activeSubscriptions, totalRevenue: 0, monthlyRevenue: 0, mrr: 0 };
}
