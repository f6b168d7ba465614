import type { NewSubscription } from '@uprez/contracts/schemas/billing';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { paths } from '../../../site-map.ts';
import { Card } from '../../../ui/layout/card.tsx';
import { BillView } from '../bill-view.tsx';
import { billingMessages } from '../messages.ts';
import { planName, planPrice } from '../plan-name.ts';

const text = billingMessages.subscribe;

/** What is bought: the plan, its price, what is due today, and the next bill. */
export function OrderSummary({ order, badge }: { order: NewSubscription; badge: ReactNode }) {
  const { plan, bill, next } = order;
  return (
    <Card title={text.order} actions={badge}>
      <div>
        <p className="font-medium">{text.plan(planName(plan.tier))}</p>
        <p className="text-muted text-sm tabular-nums">{planPrice(plan)}</p>
      </div>
      <BillView bill={bill} next={next} />
      <p className="text-muted text-sm">{text.renews}</p>
      <Link
        to={paths.pricing}
        className="justify-self-start text-muted text-sm underline decoration-line underline-offset-4 hover:text-ink hover:decoration-current"
      >
        {text.other}
      </Link>
    </Card>
  );
}
