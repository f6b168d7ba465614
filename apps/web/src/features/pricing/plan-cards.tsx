import { billingIntervals } from '@uprez/contracts/policy/billing/billing';
import type { PlanCard as Plan } from '@uprez/contracts/schemas/plan-card';
import type { User } from '@uprez/contracts/schemas/user';
import { formatPrice } from '@uprez/contracts/texts/format';
import { intervalTexts } from '@uprez/contracts/texts/plans';
import clsx from 'clsx';
import { useState } from 'react';
import { usePlans } from '../../lib/api/queries.ts';
import { useCoupon } from '../../lib/billing/use-coupon.ts';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { Badge } from '../../ui/feedback/badge.tsx';
import { QueryView, Skeleton } from '../../ui/feedback/query-view.tsx';
import { CouponField } from '../../ui/plans/coupon-field.tsx';
import { pricingMessages as text } from '../../ui/plans/messages.ts';
import { PaymentMethods } from '../../ui/plans/payment-methods.tsx';
import { SentenceList } from '../../ui/plans/sentence-list.tsx';
import { findOffer, hasYearlyPrices, type Interval, PlanAction } from './plan-action.tsx';

/** If plans are sold both monthly and yearly, the visitor chooses which prices to see. */
export function PlanCards({ user }: { user: User | null }) {
  const plans = usePlans();
  return (
    <div className="grid min-h-160 grid-cols-[minmax(0,1fr)] content-start">
      <QueryView query={plans} skeleton={<Skeleton className="h-160" />}>
        {(cards) => <Cards cards={cards} user={user} />}
      </QueryView>
    </div>
  );
}

const intervals = billingIntervals.map((value) => ({ value, label: intervalTexts[value].label }));

type PlanCardProps = { card: Plan; user: User | null; interval: Interval; coupon: string | null };

function PlanCard({ card, user, interval, coupon }: PlanCardProps) {
  const offer = findOffer(card, interval);
  const isCurrent = user?.subscriptionTier === card.key;
  const id = `plan-${card.key}`;
  return (
    <li
      aria-labelledby={id}
      className={clsx(
        'row-span-3 grid snap-start scroll-ml-4 sm:scroll-ml-6 grid-rows-subgrid gap-0 rounded-card border border-line bg-surface p-4',
        isCurrent && 'outline-2 outline-accent -outline-offset-1',
      )}
    >
      <div className="grid content-start gap-1">
        <div className="flex min-h-6 flex-wrap items-center justify-between gap-2">
          <h3 id={id} className="text-base">
            {card.name}
          </h3>
          {isCurrent && <Badge kind="neutral">{text.current}</Badge>}
        </div>
        <p className="text-muted text-sm">{card.description}</p>
      </div>
      <div className="grid content-start gap-4 py-5">
        <p className="flex items-baseline gap-1.5">
          <span className="font-bold text-xl tabular-nums tracking-tight">{formatPrice(offer.price)}</span>
          <span className="text-muted text-sm">{intervalTexts[offer.interval].per}</span>
        </p>
        <PlanAction card={card} offer={offer} user={user} coupon={coupon} />
      </div>
      <div className="grid content-start gap-5 border-line border-t pt-5">
        <SentenceList label={text.features} sentences={card.features} className="gap-2" />
        <SentenceList label={text.limitations} sentences={card.limitations} isMissing className="gap-2 text-muted" />
      </div>
    </li>
  );
}

function Cards({ cards, user }: { cards: readonly Plan[]; user: User | null }) {
  const [interval, setInterval] = useState<Interval>('month');
  const hasYears = hasYearlyPrices(cards);
  const coupon = useCoupon();
  const isForSale = cards.some(({ priceId }) => priceId !== null);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
      {hasYears && (
        <div className="justify-self-start">
          <Segmented legend={text.interval} legendHidden options={intervals} value={interval} onChange={setInterval} />
        </div>
      )}
      <ul
        aria-label={text.list}
        className="-mx-4 grid snap-x snap-mandatory auto-cols-[min(17rem,82vw)] grid-flow-col grid-rows-[repeat(3,auto)] gap-x-3 overflow-x-auto p-4 sm:-mx-6 sm:px-6 xl:mx-0 xl:auto-cols-fr xl:snap-none xl:overflow-visible xl:px-0"
      >
        {cards.map((card) => (
          <PlanCard key={card.key} card={card} user={user} interval={interval} coupon={coupon.offer?.code ?? null} />
        ))}
      </ul>
      {isForSale && <CouponField coupon={coupon} />}
      <PaymentMethods />
      {cards.some(({ addsTax }) => addsTax) && <p className="text-muted text-sm">{text.tax}</p>}
      {isForSale && (
        <p className="text-muted text-sm">
          {hasYears && `${text.refund.year} `}
          {text.refund.month}
        </p>
      )}
    </div>
  );
}
