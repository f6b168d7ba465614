import type { Plan } from './plans/plan-versions.ts';

/** What an account can create in a day (UTC), and be stopped from creating more: nothing of it needs to be charged. */
export const dailyCounts = ['images', 'sandbox_images', 'api_keys', 'webhook_tests'] as const;
export type DailyCount = (typeof dailyCounts)[number];

/** Numbers of a day that are equal for all plans. Deleted API keys keep a row, and test events stay in the feed. */
export const dailyLimits = { apiKeys: 200, webhookTests: 1_000 } as const;

/**
 * New images of a day, as a multiple of those that a plan includes in a month, and at least as many. A plan without a hard
 * stop can process more than it includes.
 */
const imageMonths = { hardStop: 5, none: 10 } as const;
const leastImages = 2_000;

/**
 * Returns how many images an account on a plan can create in a day (UTC): in jobs, batches, and retries. Images that are
 * canceled or fail cost no credits, so only this number limits their rows. Those of the sandbox cost none either, and as many
 * can be created beside the others.
 */
export function dailyImages({ included, hardStop }: Pick<Plan, 'included' | 'hardStop'>): number {
  const perMonth = Object.values(included).reduce((sum, units) => sum + units, 0);
  return Math.max(leastImages, (hardStop ? imageMonths.hardStop : imageMonths.none) * perMonth);
}
