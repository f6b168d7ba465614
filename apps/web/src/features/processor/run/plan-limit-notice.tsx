import { plans, type Tier } from '@uprez/contracts/policy/plans';
import type { Estimate } from '@uprez/contracts/schemas/estimate';
import { Link } from 'react-router';
import { paths } from '../../../site-map.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { smallestPlanFor } from '../../../ui/recipe/smallest-plan-for.ts';
import { processorMessages as text } from '../messages.ts';

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
