import type { Billing } from '@uprez/contracts/schemas/billing/billing';
import { formatDay } from '@uprez/contracts/texts/format';
import { Link } from 'react-router';
import { useFocusOnMount } from '../../../lib/layout/use-focus-on-mount.ts';
import { paths } from '../../../site-map.ts';
import { buttonStyle } from '../../../ui/controls/button.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { billingMessages } from '../messages.ts';
import { planName, planPrice } from '../plan-name.ts';
import { orderMessages } from './order-messages.ts';

const text = orderMessages.owned;

type OwnedPlanProps = { subscription: NonNullable<Billing['subscription']> };

/** Stands where the order was: the account has the plan. */
export function OwnedPlan({ subscription: { plan, cancelAt } }: OwnedPlanProps) {
  const onward = useFocusOnMount<HTMLAnchorElement>();
  return (
    <Card title={text.title(planName(plan.tier))} className="max-w-md">
      <p role="status" className="text-muted text-sm">
        {cancelAt ? billingMessages.page.canceled(formatDay(cancelAt)) : text.text(planPrice(plan))}
      </p>
      <div className="flex flex-wrap gap-2">
        <Link ref={onward} to={paths.dashboard} className={buttonStyle({})}>
          {text.dashboard}
        </Link>
        <Link to={paths.billing} className={buttonStyle({ look: 'secondary' })}>
          {text.manage}
        </Link>
      </div>
    </Card>
  );
}
