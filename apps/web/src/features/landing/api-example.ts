import type { V1Account } from '@uprez/contracts/api-keys';
import type { PlanCard } from '@uprez/contracts/plan-card';
import { routes } from '@uprez/contracts/routes';

type Answer = Pick<V1Account, 'plan' | 'calls_per_minute' | 'hard_stop' | 'quota'>;

/** The first moment of the month after, UTC: when the allowance of a month is new again. */
const nextMonth = (now: Date) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1)).toISOString();

/** The one request that a key can make today, as a line for a shell. `origin`: of this site. */
export const makeRequest = (origin: string): string =>
  `curl ${origin}${routes.v1Account.path} \\\n  -H "Authorization: Bearer $UPREZ_KEY"`;

/** What it answers for an account of a plan that has made nothing yet, besides what it says of the key. */
export function makeAnswer({ key, name, entitlements }: PlanCard, now: Date): Answer {
  const { included, hardStop, callsPerMinute } = entitlements;
  const meters = 'shared' in included ? (['shared'] as const) : (['ai', 'standard'] as const);
  const units: Partial<Record<V1Account['quota'][number]['meter'], number>> = included;
  return {
    plan: { key, name },
    calls_per_minute: callsPerMinute,
    hard_stop: hardStop,
    quota: meters.map((meter) => {
      const count = units[meter] ?? 0;
      return { meter, included: count, granted: 0, used: 0, left: count, resets_at: nextMonth(now) };
    }),
  };
}
