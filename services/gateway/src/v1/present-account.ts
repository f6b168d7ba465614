import { plans } from '@uprez/contracts/policy/plans';
import { keyScopes, type V1Account } from '@uprez/contracts/schemas/api-keys';
import type { CallerKey } from '@uprez/domain/api-keys/find-caller';
import type { readQuota } from '@uprez/domain/usage/read-quota';

type QuotaMeters = Awaited<ReturnType<typeof readQuota>>['meters'];

/** What is left of an account, and the key that asked. */
export const presentV1Account = (
  key: CallerKey,
  { quota, callsPerMinute }: { quota: QuotaMeters; callsPerMinute: number },
): V1Account => ({
  plan: { key: key.tier, name: plans[key.tier].name },
  calls_per_minute: callsPerMinute,
  hard_stop: plans[key.tier].hardStop,
  quota: quota.map(({ resetsAt, ...counts }) => ({ ...counts, resets_at: resetsAt })),
  key: {
    id: key.id,
    name: key.name,
    kind: key.kind,
    scopes: keyScopes.filter((scope) => key.scopes.includes(scope)),
    expires_at: key.expiresAt?.toISOString() ?? null,
    monthly_cap: key.monthlyCap,
    units_this_month: key.unitsThisMonth,
  },
});
