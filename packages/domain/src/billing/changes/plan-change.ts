import { AppError } from '@uprez/contracts/errors/app-error';
import type { Tier } from '@uprez/contracts/policy/plans/plans';
import { listPlanPrices, type PlanPriceRow } from '@uprez/db/queries/billing/prices';
import type { Interval } from '@uprez/payments/catalog';
import type { PriceChange } from '@uprez/payments/subscription-changes';
import { createSchedule, getSchedule, setNextPrice } from '@uprez/payments/subscription-schedules';
import { getSubscription, type Subscription } from '@uprez/payments/subscriptions';
import type { Needs } from '../../context.ts';
import type { Call, Step } from '../calls/call-kind.ts';
import { type SyncedCoupon, toAddedCode } from '../coupons/coupon-rules.ts';
import { findPlanPrice } from '../purchases/find-plan-price.ts';
import type { LoadedSubscription } from './load-own-subscription.ts';
import { type Withdrawal, withdrawalOf } from './shared-steps.ts';

/** A change to another price. Times are in ISO 8601. */
export type PlanChange = Withdrawal & {
  itemId: string;
  priceId: string;
  interval: Interval;
  /** Start of the period that the preview is based on. */
  periodStart: string;
  quotedAt: string;
  /** Downgrade to restore if the payment is declined. `pausedUntil` is the end of the pause to restore. */
  scheduled: NextPrice | null;
  pausedUntil: string | null;
  tier: Tier;
  /** Coupon code in upper case, or null if none is used. `addedCode` is the code in the form that Stripe expects. */
  code: string | null;
  addedCode: NonNullable<PriceChange['code']> | null;
};

/**
 * Fails a change if another change was made after its checks and before its call was inserted. Runs only once, because
 * later steps may change the subscription themselves.
 */
export const checkStep: Step<PlanChange> = {
  name: 'check',
  send: async ({ payments }, { request }) => {
    const { subscription } = await getSubscription(payments, request.subscriptionId);
    const current = { ...withdrawalOf(subscription), periodStart: subscription.periodStart.toISOString() };
    const isSame = Object.entries(current).every(([key, value]) => Reflect.get(request, key) === value);
    if (!isSame || subscription.status !== 'active') throw new AppError('subscription_state');
    return {};
  },
  find: async () => undefined,
};

type WantedPlan = { price: PlanPrice; quotedAt: string; coupon?: SyncedCoupon | null };

export function toPlanChange(
  { subscription, stored }: LoadedSubscription,
  { price, quotedAt, coupon = null }: WantedPlan,
): PlanChange {
  const { itemId, next, isPaused, pausedUntil } = subscription;
  const interval = stored.nextPriceId === next?.priceId ? stored.nextInterval : null;
  return {
    ...withdrawalOf(subscription),
    ...{ itemId, priceId: price.id, interval: price.interval, tier: price.tier, quotedAt },
    ...{ code: coupon?.code ?? null, addedCode: coupon && toAddedCode(subscription, coupon) },
    periodStart: subscription.periodStart.toISOString(),
    scheduled: next && (interval === 'month' || interval === 'year') ? { priceId: next.priceId, interval } : null,
    pausedUntil: (isPaused && pausedUntil?.toISOString()) || null,
  };
}

export type PlanPrice = Pick<PlanPriceRow, 'id' | 'tier' | 'interval' | 'amount'>;
type PriceChoice = { accountId: string; priceId: string; current: Subscription['price'] };

/**
 * Returns the price that a subscriber wants to buy. `priceId` can be the key of a plan, which means its monthly price.
 * For the subscriber's own price, returns the price that is now sold for the same plan and interval, or the own price
 * if none is sold. Throws AppError `price_not_found`.
 */
export async function findWantedPrice(
  ctx: Needs<'db'>,
  { accountId, priceId, current }: PriceChoice,
): Promise<PlanPrice> {
  const { id, tier, interval, amount } = current;
  if (id !== priceId) return await findPlanPrice(ctx, { accountId, priceId });
  const prices = await listPlanPrices(ctx.db);
  const sold = prices.find((price) => price.tier === tier && price.interval === interval);
  if (sold) return sold;
  if (tier && amount !== null && (interval === 'month' || interval === 'year')) return { id, tier, interval, amount };
  throw new AppError('price_not_found');
}

type NextPrice = { priceId: string; interval: Interval };

/**
 * Creates the two steps that schedule a price. `read` returns the price that a call schedules, or null if it schedules
 * none.
 */
export const makeScheduleSteps = <Request extends { subscriptionId: string }>(
  read: (call: Call<Request>) => NextPrice | null,
): Step<Request>[] => [
  {
    name: 'schedule',
    send: async ({ payments }, call, idempotencyKey) => {
      const { subscriptionId } = call.request;
      if (!read(call)) return {};
      const { subscription } = await getSubscription(payments, subscriptionId);
      const known = subscription.scheduleId;
      return { scheduleId: known ?? (await createSchedule(payments, { subscriptionId, idempotencyKey })).id };
    },
    find: async ({ payments }, call) => {
      if (!read(call)) return {};
      const { scheduleId } = (await getSubscription(payments, call.request.subscriptionId)).subscription;
      return scheduleId ? { scheduleId } : undefined;
    },
  },
  {
    name: 'next_price',
    send: async ({ payments }, call, idempotencyKey) => {
      const next = read(call);
      if (!next) return {};
      const { id, currentPhase } = await getSchedule(payments, call.stripeIds.scheduleId ?? '');
      if (!currentPhase) throw new Error('The schedule has no current phase.');
      const schedule = { id, currentPhase };
      await setNextPrice(payments, {
        schedule,
        nextPriceId: next.priceId,
        nextInterval: next.interval,
        idempotencyKey,
      });
      return {};
    },
    find: async ({ payments }, call) => {
      const next = read(call);
      if (!next) return {};
      const { nextPhase } = await getSchedule(payments, call.stripeIds.scheduleId ?? '');
      return nextPhase?.priceId === next.priceId ? {} : undefined;
    },
  },
];
