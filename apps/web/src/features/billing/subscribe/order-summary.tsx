import type { NewSubscription } from '@uprez/contracts/schemas/billing/billing';
import type { BillingAddress } from '@uprez/contracts/schemas/billing/billing-address';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { usePlans } from '../../../lib/api/queries.ts';
import type { UsedCoupon } from '../../../lib/billing/use-coupon.ts';
import { paths } from '../../../site-map.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { CouponField } from '../../../ui/plans/coupon-field.tsx';
import { BillView } from '../bill-view.tsx';
import { billingMessages } from '../messages.ts';
import { PlanHighlights } from '../plan-highlights.tsx';
import { planName, planPrice } from '../plan-name.ts';
import { countryName } from './country-names.ts';
import { orderMessages } from './order-messages.ts';

const { subscribe: text } = billingMessages;
const { address: addressText } = orderMessages;

type OrderSummaryProps = {
  order: NewSubscription;
  coupon: UsedCoupon;
  /** Null: none was entered. */
  address: BillingAddress | null;
  /** Whether tax is collected at the address. */
  isTaxed: boolean;
  onChangeAddress: () => void;
  badge: ReactNode;
};

/** What is bought: the plan, what it includes, its price, a code, what is due today, and the next bill. */
export function OrderSummary({ order, coupon, address, isTaxed, onChangeAddress, badge }: OrderSummaryProps) {
  const { plan, bill, next } = order;
  const card = usePlans().data?.find(({ key }) => key === plan.tier);
  return (
    <Card title={text.order} actions={badge}>
      <div>
        <p className="font-medium">{text.plan(planName(plan.tier))}</p>
        <p className="text-muted text-sm tabular-nums">{planPrice(plan)}</p>
      </div>
      {card && <PlanHighlights card={card} />}
      <BillView bill={bill} next={next} />
      <div className="flex flex-wrap items-center justify-between gap-2 text-sm">
        {address && (
          <span className="wrap-anywhere">
            {isTaxed
              ? addressText.used(countryName(address.country), address.postalCode)
              : addressText.invoiced(address.company ?? countryName(address.country))}
          </span>
        )}
        <Button look="secondary" size="small" onClick={onChangeAddress}>
          {address ? addressText.change : addressText.add}
        </Button>
      </div>
      <CouponField coupon={coupon} />
      <p className="text-muted text-sm">{text.renews(plan.interval)}</p>
      <Link
        to={paths.pricing}
        className="justify-self-start text-muted text-sm underline decoration-line underline-offset-4 hover:text-ink hover:decoration-current"
      >
        {text.other}
      </Link>
    </Card>
  );
}
