import { plans, type Tier } from '@uprez/contracts/policy/plans';
import type { Estimate } from '@uprez/contracts/schemas/estimate';
import type { User } from '@uprez/contracts/schemas/user';
import { formatDay } from '@uprez/contracts/texts/format';
import { Link } from 'react-router';
import { useDashboard } from '../../../lib/api/use-dashboard.ts';
import { paths } from '../../../site-map.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { findExceededQuota } from '../../../ui/plans/quota-text.ts';
import { smallestPlanFor } from '../../../ui/recipe/smallest-plan-for.ts';
import { processorMessages as text } from '../messages.ts';

/** The quota that an image would exceed, on plans that pause then. */
export function useExceededQuota(estimate: Estimate | undefined, user: User | null) {
  const { data } = useDashboard({ enabled: user !== null });
  if (!data || !estimate || !user || !plans[user.subscriptionTier].hardStop) return undefined;
  return findExceededQuota(data.quota, estimate);
}

type QuotaExceededProps = { wall: NonNullable<ReturnType<typeof findExceededQuota>>; onStandard: () => void };

/** Shown when the quota is used up, with the standard engine and larger plans as alternatives. */
export function QuotaExceeded({ wall: { quota, standardLeft }, onStandard }: QuotaExceededProps) {
  return (
    <Notice kind="warning">
      <p>
        {text.usedUp(quota.meter, formatDay(quota.resetsAt))}
        {standardLeft > 0 && ` ${text.standardWorks(standardLeft)}`}
      </p>
      <div className="mt-2 flex flex-wrap items-center gap-2">
        {standardLeft > 0 && (
          <Button look="secondary" size="small" onClick={onStandard}>
            {text.useStandard}
          </Button>
        )}
        <Link to={paths.pricing} className="inline-flex min-h-6 items-center text-xs underline underline-offset-4">
          {text.seePlans}
        </Link>
      </div>
    </Notice>
  );
}

type Limit = NonNullable<Estimate['limit']>;
type PlanLimitNoticeProps = {
  limit: Limit;
  tier: Tier;
  /** Applies the largest allowed factor. Undefined if the settings have no factor. */
  onFactor?: ((factor: number) => void) | undefined;
};

/** The plan that allows the job. The planner does not name it for outputs that are too large. */
function planFor({ code, value, unlockedBy }: Limit, tier: Tier): string | undefined {
  if (unlockedBy) return plans[unlockedBy].name;
  return code === 'output_too_large' ? smallestPlanFor(tier, { what: 'output', pixels: Number(value) }) : undefined;
}

/** Why the plan does not allow the settings, with a smaller factor or a larger plan as alternatives. */
export function PlanLimitNotice({ limit, tier, onFactor }: PlanLimitNoticeProps) {
  const sentence = limit.detail;
  const opener = planFor(limit, tier);
  const factor = Math.floor(limit.maxFactor ?? 0);
  return (
    <Notice kind="warning">
      <p>
        {sentence}
        {opener && !sentence.includes(opener) && ` ${text.opens(opener)}`}
      </p>
      <div className="mt-2 flex flex-wrap items-center gap-2 empty:hidden">
        {onFactor && factor >= 1 && (
          <Button look="secondary" size="small" onClick={() => onFactor(factor)}>
            {text.useFactor(factor)}
          </Button>
        )}
        {opener && (
          <Link to={paths.pricing} className="inline-flex min-h-6 items-center text-xs underline underline-offset-4">
            {text.seePlans}
          </Link>
        )}
      </div>
    </Notice>
  );
}
