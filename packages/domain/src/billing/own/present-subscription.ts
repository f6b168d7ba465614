import type { Tier } from '@uprez/contracts/policy/plans/plans';
import type { Billing } from '@uprez/contracts/schemas/billing/billing';
import type { OwnSubscription } from '@uprez/db/queries/billing/own-billing';
import { findBillAfterPause } from '../present-bill.ts';

type Subscription = NonNullable<Billing['subscription']>;
type Plan = Subscription['plan'];

/** Converts a stored subscription to what its owner sees. */
export function presentSubscription(own: OwnSubscription): Subscription {
  const { tier, interval, priceId, amount, currency, nextAt, pendingUntil, pausedUntil } = own;
  const { nextTier, nextInterval, nextPriceId, nextPrice } = own;
  const { pendingTier, pendingInterval, pendingPriceId, pendingPrice } = own;
  const next = toPlan({ tier: nextTier, interval: nextInterval, priceId: nextPriceId, amount: nextPrice, currency });
  const pending = toPlan({
    ...{ tier: pendingTier, interval: pendingInterval, priceId: pendingPriceId, amount: pendingPrice },
    currency,
  });
  return {
    plan: { tier, interval, priceId, price: { amount, currency } },
    planVersion: own.planVersion,
    badge: toBadge(own),
    periodStart: own.periodStart.toISOString(),
    periodEnd: own.periodEnd.toISOString(),
    cancelAt: findEnd(own)?.toISOString() ?? null,
    pausedUntil: own.isPaused && pausedUntil ? findBillAfterPause(own, pausedUntil).toISOString() : null,
    next: next && nextAt && { plan: next, at: nextAt.toISOString() },
    pending: pending && pendingUntil && { plan: pending, until: pendingUntil.toISOString() },
    card: presentCard(own),
  };
}

/** Returns the time at which a canceled subscription ends, or null if it isn't canceled. */
export const findEnd = ({
  cancelAt,
  cancelsAtPeriodEnd,
  periodEnd,
}: Pick<OwnSubscription, 'cancelAt' | 'cancelsAtPeriodEnd' | 'periodEnd'>): Date | null =>
  cancelAt ?? (cancelsAtPeriodEnd ? periodEnd : null);

type PriceFields = {
  tier: Tier | null;
  interval: 'month' | 'year' | 'once' | null;
  priceId: string | null;
  amount: number | null;
  currency: string;
};

function toPlan({ tier, interval, priceId, amount, currency }: PriceFields): Plan | null {
  if (!tier || !interval || interval === 'once' || priceId === null || amount === null) return null;
  return { tier, interval, priceId, price: { amount, currency } };
}

const badges: Record<string, Subscription['badge']> = {
  active: 'active',
  past_due: 'past_due',
  incomplete: 'incomplete',
};
/** Returns the status to show. Statuses that don't grant a plan are shown as canceled. */
export function toBadge({
  status,
  isProcessing,
}: Pick<OwnSubscription, 'status' | 'isProcessing'>): Subscription['badge'] {
  if (status === 'incomplete' && isProcessing) return 'pending';
  return badges[status] ?? 'canceled';
}

function presentCard({ cardBrand: brand, ...own }: OwnSubscription): Subscription['card'] {
  return brand === null ? null : { brand, last4: own.cardLast4, expMonth: own.cardExpMonth, expYear: own.cardExpYear };
}
