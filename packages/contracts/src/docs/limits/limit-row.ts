import { type ErrorCode, errorCodes } from '../../errors/error-codes.ts';
import type { LimitName } from '../../policy/limit-names.ts';
import { currentPlans, tiers } from '../../policy/plans/plans.ts';

/** A row of the limits table. All strings are Markdown. */
export type LimitRow = {
  what: string;
  limit: string;
  /** What happens when a client reaches the limit. */
  met: string;
  /** When the limit no longer applies. */
  recovers: string;
};
export type LimitRows = Partial<Record<LimitName, LimitRow>>;

/** Formats the status and error code of a response, such as 429 `rate_limited`. */
export const formatResponse = (code: ErrorCode, status: number = errorCodes[code].status): string =>
  `${status} \`${code}\``;

/**
 * Formats a value for each plan, grouping plans with the same value: `1 GB (Free), 10 GB (Pro, API Basic)`. Skips plans
 * for which `pick` returns undefined.
 */
export function listPerPlan(
  pick: (plan: (typeof currentPlans)[keyof typeof currentPlans]) => string | undefined,
): string {
  const names = new Map<string, string[]>();
  for (const tier of tiers) {
    const value = pick(currentPlans[tier]);
    if (value !== undefined) names.set(value, [...(names.get(value) ?? []), currentPlans[tier].name]);
  }
  return [...names].map(([value, shared]) => `${value} (${shared.join(', ')})`).join(', ');
}

export const midnightResetText = 'At midnight (UTC), see `Retry-After`';

const minute = 60;

/** Formats a duration given in seconds, such as `30 s`, `15 minutes`, or `24 hours`. */
export function formatDuration(seconds: number): string {
  if (seconds < 2 * minute || seconds % minute !== 0) return `${seconds} s`;
  const minutes = seconds / minute;
  return minutes < 2 * minute || minutes % minute !== 0 ? `${minutes} minutes` : `${minutes / minute} hours`;
}
