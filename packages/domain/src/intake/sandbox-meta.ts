import { factorRange } from '@uprez/contracts/policy/image-formats';
import type { Plan } from '@uprez/contracts/policy/plan-versions';
import { type ForcibleError, sandbox } from '@uprez/contracts/policy/sandbox';
import { sitePaths } from '@uprez/contracts/texts/pages';

/** Short, because tests of clients wait for it. Seconds. */
const retryAfterS = 5;

type Meta = Record<string, unknown>;

/** The next calendar month (UTC), when the quotas of most accounts reset. */
function nextMonth(): string {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1)).toISOString();
}

const detailsOf: Partial<Record<ForcibleError, (plan: Plan) => Meta>> = {
  file_too_large: () => ({ limit: sandbox.maxBytes }),
  output_too_large: ({ maxOutputPixels: limit }) => ({ limit, value: limit + 1, maxFactor: factorRange.default }),
  job_too_long: ({ jobSeconds: limit }) => ({ limit, value: limit + 1, maxFactor: factorRange.default }),
  plan_feature: ({ maxFactor: { ai: limit } }) => ({
    ...{ limit, value: limit + 1, maxFactor: limit, unlockedBy: 'enterprise' },
  }),
  storage_full: ({ storageBytes: limit }) => ({ limit, value: limit, unlockedBy: 'enterprise' }),
  quota_exceeded: () => ({
    ...{ meter: 'shared', have: 0, needs: 1, resetsAt: nextMonth(), upgradeUrl: sitePaths.pricing },
  }),
  key_cap_exceeded: () => ({ cap: 1, needs: 1, have: 0, resetsAt: nextMonth() }),
  rate_limited: ({ callsPerMinute: limit }) => ({ limit, retryAfterS }),
};

/** The details that a forced error of the sandbox has in common with the real one, so that clients can be tested with it. */
export const sandboxMeta = (code: ForcibleError, plan: Plan): Meta => ({ ...detailsOf[code]?.(plan), sandbox: true });
