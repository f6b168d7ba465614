import { randomUUID } from 'node:crypto';
import { AppError } from '@uprez/contracts/errors/app-error';
import { billingRules } from '@uprez/contracts/policy/billing/billing';
import type { Tier } from '@uprez/contracts/policy/plans/plans';
import type { ChangePreview } from '@uprez/contracts/schemas/billing/billing';
import { readClock } from '@uprez/db/times';
import { type Invoice, listInvoices } from '@uprez/payments/invoices';
import { PaymentError } from '@uprez/payments/payment-error';
import { previewRenewal, previewRestart, previewUpgrade } from '@uprez/payments/previews';
import type { Subscription } from '@uprez/payments/subscriptions';
import type { Needs } from '../../context.ts';
import { makeStateError, readStripe, toBillingError } from '../calls/stripe-errors.ts';
import { findTypedCoupon } from '../coupons/check-coupon.ts';
import { requireSyncedCoupon, type SyncedCoupon, toAddedCode, toDiscount } from '../coupons/coupon-rules.ts';
import { balanceAfter, estimateNextBill } from '../estimate-next-bill.ts';
import { presentBill } from '../present-bill.ts';
import { type LoadedSubscription, loadOwnSubscription, requirePaidSubscription } from './load-own-subscription.ts';
import { findWantedPrice, type PlanPrice } from './plan-change.ts';

/** `typed`: coupon code as entered, and the IP address for which guesses are counted. */
type Input = { accountId: string; priceId: string; typed?: { code: string; ipAddress: string } | undefined };

/** Returns what a plan change costs today and on the next bill. Changes and reserves nothing. Throws AppError. */
export async function previewChange(
  ctx: Needs<'db' | 'payments' | 'vault'>,
  { accountId, priceId, typed }: Input,
): Promise<ChangePreview> {
  const own = await loadOwnSubscription(ctx, accountId);
  const { price: current, currency } = own.subscription;
  const price = await findWantedPrice(ctx, { accountId, priceId, current });
  const coupon = typed ? await findCoupon(ctx, { ...typed, accountId, tier: price.tier }) : null;
  const quotedAtS = Math.floor(Number(await readClock(ctx.db)) / 1_000);
  const { quote, today, at, nextAt } = await makeQuote(ctx, { own, price, coupon, quotedAtS });
  const { id, tier, interval, amount } = price;
  return {
    previewId: sealQuote(ctx, accountId, quote),
    expiresAt: quoteExpiryOf(quote).toISOString(),
    kind: quote.kind,
    plan: { tier, interval, priceId: id, price: { amount, currency } },
    at: at.toISOString(),
    today: today && (await presentBill(ctx, today)),
    next: { at: nextAt.toISOString(), amount: quote.next, currency },
  };
}

type TypedCode = { code: string; ipAddress: string; accountId: string; tier: Tier };

async function findCoupon(ctx: Needs<'db'>, { code, ipAddress, accountId, tier }: TypedCode): Promise<SyncedCoupon> {
  const coupon = await findTypedCoupon(ctx, { code, guesser: { accountId, ipAddress } });
  return await requireSyncedCoupon(ctx.db, coupon, { accountId, tier });
}

/**
 * A quoted change. `today` is the bill that is due now, or null if nothing is billed. `at` is when the change takes
 * effect, and `nextAt` is when the next bill is due.
 */
type QuotedChange = { quote: Quote; today: Invoice | null; at: Date; nextAt: Date };
type Wanted = { own: LoadedSubscription; price: PlanPrice; coupon: SyncedCoupon | null; quotedAtS: number };

/** Determines the effect and cost of a change, using Stripe's previews. Throws AppError. */
export async function makeQuote(ctx: Needs<'db' | 'payments'>, wanted: Wanted): Promise<QuotedChange> {
  const { own, price } = wanted;
  const { subscription } = own;
  requirePaidSubscription(subscription);
  if (subscription.cancelsAtPeriodEnd || subscription.cancelAt)
    throw makeStateError('Your plan is set to end. To change it, select "Keep plan" first.');
  const isBilled = await isPeriodBilled(ctx, subscription);
  if (isBilled && subscription.isPaused)
    throw makeStateError('Your plan is set to pause. Resume it before you change it.');
  if (isBilled && subscription.price.id === price.id) throw makeStateError('You already have this plan.');
  try {
    if (!isBilled) return await quoteImmediateChange(ctx, wanted, 'resume');
    return isUpgrade(subscription, price)
      ? await quoteImmediateChange(ctx, wanted, 'upgrade')
      : await quoteScheduledChange(ctx, wanted);
  } catch (error) {
    // Stripe rejects the request if it is outdated. For example, the period may have ended after the preview.
    const isRejected = error instanceof PaymentError && error.kind === 'invalid_request';
    throw isRejected ? new AppError('preview_changed', { cause: error }) : toBillingError(error);
  }
}

/**
 * Whether a price costs more per month or switches from monthly to yearly. Switching the same plan from yearly to
 * monthly isn't an upgrade, because it takes effect after the paid year.
 */
function isUpgrade({ price: old }: Subscription, price: PlanPrice): boolean {
  if (old.interval !== price.interval)
    return price.interval === 'year' || (old.tier !== price.tier && isMoreExpensive(old, price));
  return isMoreExpensive(old, price);
}
const isMoreExpensive = (old: Subscription['price'], price: PlanPrice) =>
  monthlyAmountOf(price) > monthlyAmountOf({ interval: old.interval, amount: old.amount ?? 0 });
const monthlyAmountOf = ({ interval, amount }: { interval: string; amount: number }) =>
  interval === 'year' ? amount / 12 : amount;

const newKey = () => `preview:${randomUUID()}`;

async function quoteImmediateChange(
  ctx: Needs<'payments'>,
  wanted: Wanted,
  kind: 'upgrade' | 'resume',
): Promise<QuotedChange> {
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

async function quoteScheduledChange(
  ctx: Needs<'payments'>,
  { own, price, coupon, quotedAtS }: Wanted,
): Promise<QuotedChange> {
  // A later change can't use a coupon. The use would stay reserved for up to a year, and the coupon may expire before
  // then.
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
 * Whether the current period of a subscription has been paid or its renewal is being collected. Reads the invoices from
 * Stripe. The database may lack a payment that isn't synced yet, and the period would be billed again. Throws AppError.
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

/** Contents of a preview. `today` and `next` are the amounts due, in cents. `today` is null if nothing is billed. */
export type Quote = {
  kind: ChangePreview['kind'];
  subscriptionId: string;
  priceId: string;
  /** Time of the preview, as a Unix timestamp in seconds. */
  quotedAtS: number;
  today: number | null;
  next: number;
  /** Coupon code in upper case. Null means none. */
  code: string | null;
};

const quotePurpose = (accountId: string) => `billing preview:${accountId}`;

/** Seals a quote. When the user confirms the change, the sealed quote proves what the preview showed. */
export function sealQuote({ vault }: Needs<'vault'>, accountId: string, quote: Quote): string {
  const { kind, subscriptionId, priceId, quotedAtS, today, next, code } = quote;
  const values = [kind, subscriptionId, priceId, quotedAtS, today, next, code];
  return vault.seal(JSON.stringify(values), quotePurpose(accountId));
}

const quoteExpiryOf = ({ quotedAtS }: Quote): Date => new Date((quotedAtS + billingRules.previewMinutes * 60) * 1_000);

/**
 * Unseals the quote of a preview. Throws AppError `preview_changed` if it's invalid, has expired, or belongs to another
 * account.
 */
export async function unsealQuote(
  { db, vault }: Needs<'db' | 'vault'>,
  { accountId, previewId }: { accountId: string; previewId: string },
): Promise<Quote> {
  const quote = parse(() => vault.unseal(previewId, quotePurpose(accountId)));
  if (!quote || quoteExpiryOf(quote) <= (await readClock(db))) throw new AppError('preview_changed');
  return quote;
}

function parse(unseal: () => string): Quote | undefined {
  try {
    // The values have the expected types, because only `sealQuote` can have sealed them.
    const [kind, subscriptionId, priceId, quotedAtS, today, next, code = null] = JSON.parse(unseal());
    return { kind, subscriptionId, priceId, quotedAtS, today, next, code };
  } catch {
    return undefined;
  }
}
