import { billingIntervals } from '@uprez/contracts/policy/billing/billing';
import { planOf } from '@uprez/contracts/policy/plans/plan-versions';
import { salesOnlyTier } from '@uprez/contracts/policy/plans/plans';
import type { Billing } from '@uprez/contracts/schemas/billing/billing';
import type { PlanCard } from '@uprez/contracts/schemas/plan-card';
import { formatDay, formatPrice } from '@uprez/contracts/texts/format';
import { intervalTexts } from '@uprez/contracts/texts/plans';
import { useRef, useState } from 'react';
import { Link } from 'react-router';
import { isSubscribed } from '../../../lib/billing/is-subscribed.ts';
import { type PlanChoice, subscribePath } from '../../../lib/billing/plan-paths.ts';
import { paths } from '../../../site-map.ts';
import { Button, buttonStyle } from '../../../ui/controls/button.tsx';
import { Segmented } from '../../../ui/controls/segmented.tsx';
import { Badge } from '../../../ui/feedback/badge.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { BillingSection } from '../billing-section.tsx';
import { billingMessages } from '../messages.ts';
import { PlanHighlights } from '../plan-highlights.tsx';
import { planName } from '../plan-name.ts';
import { orderMessages } from '../subscribe/order-messages.ts';
import { ChangePreviewPanel } from './change-preview.tsx';
import { findChangeBlock } from './plan-facts.ts';

const text = billingMessages.change;
const intervals = billingIntervals.map((value) => ({ value, label: intervalTexts[value].label }));

type OfferRowProps = {
  offer: PlanOffer;
  billing: Billing;
  isChosen: boolean;
  isBlocked: boolean;
  onChoose: () => void;
};

function OfferAction({ offer, billing, isChosen, isBlocked, onChoose }: OfferRowProps) {
  const { subscription } = billing;
  if (!isSubscribed(billing))
    return (
      <Link
        to={subscribePath({ plan: offer.priceId })}
        aria-label={text.subscribe(offer.name)}
        className={buttonStyle({ look: 'secondary' })}
      >
        {billingMessages.subscribe.title}
      </Link>
    );
  if (subscription?.plan.priceId === offer.priceId) return <Badge kind="neutral">{text.current}</Badge>;
  if (subscription?.next?.plan.priceId === offer.priceId)
    return <Badge kind="neutral">{text.from(formatDay(subscription.next.at))}</Badge>;
  return (
    <Button
      look="secondary"
      aria-label={text.previewOf(offer.name)}
      aria-pressed={isChosen}
      disabled={isBlocked}
      onClick={onChoose}
    >
      {text.preview}
    </Button>
  );
}

function OfferRow(props: OfferRowProps) {
  const { name, price, card } = props.offer;
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3">
      <div className="grid min-w-0 flex-1 basis-60 gap-2">
        <div>
          <p className="font-medium text-sm">{name}</p>
          <p className="text-muted text-sm tabular-nums">{price}</p>
        </div>
        <PlanHighlights card={card} />
      </div>
      <OfferAction {...props} />
    </li>
  );
}

type ChangeSectionProps = {
  billing: Billing;
  deletesAt: string | null;
  cards: readonly PlanCard[];
  chosen: PlanChoice | null;
  onChoose: (priceId: string | null) => void;
  onDone: () => void;
};

export function ChangeSection({ billing, deletesAt, cards, chosen, onChoose, onDone }: ChangeSectionProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const chosenOffer = chosen === null ? undefined : findOffer(cards, chosen, billing.isOffered);
  const [interval, setInterval] = useState<Interval>(
    chosenOffer?.interval ?? billing.subscription?.plan.interval ?? 'month',
  );
  const hasYears = listOffers(cards, 'year', billing.isOffered).length > 0;
  const reason = findChangeBlock(billing, deletesAt !== null);
  const priceId = chosenOffer?.priceId ?? chosen?.plan ?? null;
  const all = [...listOffers(cards, 'month', billing.isOffered), ...listOffers(cards, 'year', billing.isOffered)];
  const { subscription, override } = billing;
  // The account's own plan can be chosen only to resume it from a pause. Its price may no longer be available, so it
  // may not be in the list.
  const isOwn = subscription?.plan.priceId === priceId;
  const name = isOwn ? planName(subscription.plan.tier) : all.find((offer) => offer.priceId === priceId)?.name;
  const isPreviewed = isSubscribed(billing) && (!isOwn || subscription?.pausedUntil != null);
  // If an administrator has set the account's plan, a change doesn't affect what is included.
  const current =
    override || !subscription
      ? undefined
      : planOf({ tier: subscription.plan.tier, planVersion: subscription.planVersion });
  return (
    <BillingSection
      title={text.title}
      headingRef={heading}
      state={
        <Link to={paths.pricing} className={buttonStyle({ look: 'secondary' })}>
          {text.compare}
        </Link>
      }
    >
      {reason && <Notice kind="warning">{reason}</Notice>}
      {!isSubscribed(billing) && <p className="text-muted text-sm">{text.buy}</p>}
      {hasYears && (
        <div className="justify-self-start">
          <Segmented legend={text.interval} legendHidden options={intervals} value={interval} onChange={setInterval} />
        </div>
      )}
      <ul aria-label={text.choose} className="divide-y divide-line border-line border-y">
        {listOffers(cards, interval, billing.isOffered).map((offer) => (
          <OfferRow
            key={offer.priceId}
            offer={offer}
            billing={billing}
            isChosen={offer.priceId === priceId}
            isBlocked={reason !== undefined}
            onChoose={() => onChoose(offer.priceId)}
          />
        ))}
      </ul>
      {isSubscribed(billing) && isOwn && name !== undefined && !subscription?.pausedUntil && (
        <Notice kind="info">{orderMessages.owned.sentence(name)}</Notice>
      )}
      {priceId !== null && subscription && isPreviewed && reason === undefined && (
        <ChangePreviewPanel
          key={priceId}
          priceId={priceId}
          cards={cards}
          current={current}
          from={subscription.plan}
          name={name}
          isOwn={isOwn}
          onDone={onDone}
          onClose={() => {
            onChoose(null);
            heading.current?.focus();
          }}
        />
      )}
    </BillingSection>
  );
}

type Interval = 'month' | 'year';
type PlanOffer = { key: PlanCard['key']; name: string; price: string; priceId: string; card: PlanCard };

/**
 * Lists the plans that can be bought for an interval, smallest first. `isOffered`: whether to include the plan that is
 * otherwise sold by email.
 */
export const listOffers = (cards: readonly PlanCard[], interval: Interval, isOffered = false): PlanOffer[] =>
  cards.flatMap((card) => {
    const { key, name, price, priceId, yearly } = card;
    const offer = interval === 'month' ? { price, priceId } : yearly;
    if (!offer?.priceId || offer.price === 0 || (key === salesOnlyTier && !isOffered)) return [];
    const offered = billingMessages.price(formatPrice(offer.price), interval);
    return [{ key, name, priceId: offer.priceId, price: offered, card }];
  });

/** Finds the price ID and interval of a plan choice. Returns undefined if the plan isn't for sale. */
export function findOffer(
  cards: readonly PlanCard[],
  { plan, interval: wanted = 'month' }: PlanChoice,
  isOffered = false,
): { priceId: string; interval: Interval } | undefined {
  for (const interval of ['month', 'year'] as const) {
    const isWanted = interval === wanted;
    const offer = listOffers(cards, interval, isOffered).find(
      ({ key, priceId }) => priceId === plan || (isWanted && key === plan),
    );
    if (offer) return { priceId: offer.priceId, interval };
  }
  return undefined;
}
