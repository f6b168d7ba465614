import { randomUUID } from 'node:crypto';
import { AppError } from '@uprez/contracts/errors/app-error';
import { readClock } from '@uprez/db/times';
import { type Invoice, listInvoices } from '@uprez/payments/invoices';
import { PaymentError } from '@uprez/payments/payment-error';
import { previewRenewal, previewRestart, previewUpgrade } from '@uprez/payments/previews';
import type { Subscription } from '@uprez/payments/subscriptions';
import type { Needs } from '../../context.ts';
import { readStripe, toBillingError, wrongState } from '../calls/to-billing-error.ts';
import { type SyncedCoupon, toAddedCode, toDiscount } from '../coupons/coupon-rules.ts';
import { balanceAfter, estimateNextBill } from '../estimate-next-bill.ts';
import { type Own, requirePaid } from './load-own.ts';
import type { PlanPrice } from './plan-change.ts';
import type { Quote } from './quote.ts';

/** A change with its bills. `today` is the bill due now, or null if nothing is billed. */
type QuotedChange = { quote: Quote; today: Invoice | null; at: Date; nextAt: Date };
type Wanted = { own: Own; price: PlanPrice; coupon: SyncedCoupon | null; quotedAtS: number };

/** Determines the effect and cost of a change, using Stripe's previews. Throws AppError. */
export async function makeQuote(ctx: Needs<'db' | 'payments'>, wanted: Wanted): Promise<QuotedChange> {
  const { own, price } = wanted;
  const { subscription } = own;
  requirePaid(subscription);
  if (subscription.cancelsAtPeriodEnd || subscription.cancelAt)
    throw wrongState('Your plan is set to end. To change it, select "Keep plan" first.');
  const isBilled = await isPeriodBilled(ctx, subscription);
  if (isBilled && subscription.isPaused) throw wrongState('Your plan is set to pause. Resume it before you change it.');
  if (isBilled && subscription.price.id === price.id) throw wrongState('You already have this plan.');
  try {
    if (!isBilled) return await quoteNow(ctx, wanted, 'resume');
    return isUpgrade(subscription, price) ? await quoteNow(ctx, wanted, 'upgrade') : await quoteLater(ctx, wanted);
  } catch (error) {
    // For example, the period ended after the preview.
    const isRejected = error instanceof PaymentError && error.kind === 'invalid_request';
    throw isRejected ? new AppError('preview_changed', { cause: error }) : toBillingError(error);
  }
}

/**
 * Whether a price costs more per month or switches from monthly to yearly. Switching the same plan to monthly takes
 * effect after the paid year.
 */
function isUpgrade({ price: old }: Subscription, price: PlanPrice): boolean {
  if (old.interval !== price.interval)
    return price.interval === 'year' || (old.tier !== price.tier && isDearer(old, price));
  return isDearer(old, price);
}
const isDearer = (old: Subscription['price'], price: PlanPrice) =>
  perMonth(price) > perMonth({ interval: old.interval, amount: old.amount ?? 0 });
const perMonth = ({ interval, amount }: { interval: string; amount: number }) =>
  interval === 'year' ? amount / 12 : amount;

const newKey = () => `preview:${randomUUID()}`;

async function quoteNow(ctx: Needs<'payments'>, wanted: Wanted, kind: 'upgrade' | 'resume'): Promise<QuotedChange> {
  const { price, quotedAtS, own, coupon } = wanted;
  const { id: subscriptionId, itemId } = own.subscription;
  const at = new Date(quotedAtS * 1_000);
  const code = coupon && toAddedCode(own.subscription, coupon);
  const change = { subscriptionId, itemId, priceId: price.id, code, idempotencyKey: newKey() };
  const today =
    kind === 'upgrade'
      ? await previewUpgrade(ctx.payments, { ...change, prorationDate: at })
      : await previewRestart(ctx.payments, change);
  const nextAt = new Date(Math.max(...today.lines.map(({ period }) => Number(period.end))));
  const balance = balanceAfter(today);
  const discounts = [...own.subscription.discounts, ...(coupon ? [toDiscount(coupon, at)] : [])];
  const next = await estimateNextBill(ctx, {
    like: today,
    subscription: own.subscription,
    discounts,
    price,
    at: nextAt,
    balance,
  });
  const quote = {
    kind,
    subscriptionId,
    priceId: price.id,
    quotedAtS,
    today: today.due,
    next,
    code: coupon?.code ?? null,
  };
  return { quote, today, at, nextAt };
}

async function quoteLater(ctx: Needs<'payments'>, { own, price, coupon, quotedAtS }: Wanted): Promise<QuotedChange> {
  // The coupon use would stay reserved for up to a year, and the coupon may expire before then.
  if (coupon) throw new AppError('coupon_scheduled');
  const { id: subscriptionId, discounts, periodEnd: at } = own.subscription;
  const like = await previewRenewal(ctx.payments, { subscriptionId, idempotencyKey: newKey() });
  const balance = like.startingBalance;
  const next = await estimateNextBill(ctx, { like, subscription: own.subscription, discounts, price, at, balance });
  const kind = 'downgrade' as const;
  const quote = { kind, subscriptionId, priceId: price.id, quotedAtS, today: null, next, code: null };
  return { quote, today: null, at, nextAt: at };
}

/**
 * Whether the current period of a subscription is paid or its renewal is being collected. Reads from Stripe, because a
 * payment that isn't synced yet would let the period be billed again. Throws AppError.
 */
export async function isPeriodBilled(
  { db, payments }: Needs<'db' | 'payments'>,
  { id, customerId, price }: Subscription,
): Promise<boolean> {
  const now = await readClock(db);
  const { items } = await readStripe(listInvoices(payments, { customerId }));
  return items
    .filter((invoice) => invoice.subscriptionId === id && isBilled(invoice))
    .flatMap(({ lines }) => lines)
    .some(
      ({ priceId, amount, period }) => priceId === price.id && amount > 0 && period.start <= now && period.end > now,
    );
}

const isBilled = ({ status, reason }: Invoice): boolean =>
  status === 'paid' || ((status === 'draft' || status === 'open') && reason === 'subscription_cycle');
