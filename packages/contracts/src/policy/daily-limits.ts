import type { Plan } from './plans/plan-versions.ts';

/** Items that are limited per account and day (UTC), because they can be created without being charged. */
export const dailyLimitNames = ['images', 'sandbox_images', 'api_keys', 'webhook_tests'] as const;
export type DailyLimitName = (typeof dailyLimitNames)[number];

/** They also limit storage: deleted API keys keep a row, and test events stay in the feed. */
export const dailyLimits = { apiKeys: 200, webhookTests: 1_000 } as const;

/**
 * New images per day, as a multiple of the images that a plan includes per month. At least `minDailyImages` are allowed. A
 * plan without a hard stop can process more than it includes.
 */
const monthlyMultiples = { hardStop: 5, none: 10 } as const;
const minDailyImages = 2_000;

/**
 * Returns the maximum number of images that an account can create per day (UTC) in jobs, batches, and retries. Canceled
 * and failed images cost no credits, so only this limit bounds how many are stored. Sandbox images don't cost credits
 * either. They have a separate limit of the same size.
 */
export function getMaxDailyImages({ included, hardStop }: Pick<Plan, 'included' | 'hardStop'>): number {
  const perMonth = Object.values(included).reduce((sum, units) => sum + units, 0);
  return Math.max(minDailyImages, (hardStop ? monthlyMultiples.hardStop : monthlyMultiples.none) * perMonth);
}
