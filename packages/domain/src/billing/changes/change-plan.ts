import { AppError } from '@uprez/contracts/errors/app-error';
import type { Billing } from '@uprez/contracts/schemas/billing/billing';
import { hasReservedUse } from '@uprez/db/queries/coupons/redemptions';
import { upgradeSubscription } from '@uprez/payments/subscription-changes';
import { getSubscription, type Subscription } from '@uprez/payments/subscriptions';
import type { Needs } from '../../context.ts';
import type { Call, CallContext, CallKind } from '../calls/call-kind.ts';
import { findQuotedCoupon, type SyncedCoupon } from '../coupons/coupon-rules.ts';
import { reserveChangeCoupon } from '../coupons/reserve-coupon.ts';
import { readBilling } from '../own/read-billing.ts';
import { syncNow } from '../sync/sync-customer.ts';
import { startOrAwait } from './await-same-change.ts';
import { type LoadedSubscription, loadOwnSubscription, requirePaidSubscription } from './load-own-subscription.ts';
import { type BillingResult, isDeclined, outcomeStep, presentOutcome } from './payment-outcome.ts';
import {
  checkStep,
  findWantedPrice,
  makeScheduleSteps,
  type PlanChange,
  type PlanPrice,
  toPlanChange,
} from './plan-change.ts';
import { makeQuote, type Quote, unsealQuote } from './quote.ts';
import { restartKind } from './resume-kinds.ts';
import { awaitChange, changeTimeoutS, continueOpenCall, runChange } from './run-change.ts';
import { type Withdrawal, withdrawalOf, withdrawalSteps } from './shared-steps.ts';

/** Changes the price at the end of the period. */
export const downgradeKind: CallKind<PlanChange> = {
  name: 'downgrade',
  slot: 'change',
  expiresS: changeTimeoutS,
  steps: [checkStep, ...withdrawalSteps, ...makeScheduleSteps<PlanChange>(({ request }) => request)],
};

/** Changes the price immediately and collects a payment for it. */
export const upgradeKind: CallKind<PlanChange> = {
  name: 'upgrade',
  slot: 'change',
  expiresS: changeTimeoutS,
  reserve: reserveChangeCoupon,
  steps: [
    checkStep,
    ...withdrawalSteps,
    {
      name: 'upgrade',
      send: async ({ payments }, { request }, idempotencyKey) => {
        const { subscriptionId, itemId, priceId, quotedAt, addedCode: code } = request;
        const change = { subscriptionId, itemId, priceId, code, prorationDate: new Date(quotedAt), idempotencyKey };
        const { subscription } = await upgradeSubscription(payments, change);
        return { invoiceId: subscription.latestInvoiceId ?? '' };
      },
      find: async ({ payments }, { request }) => {
        const { subscription } = await getSubscription(payments, request.subscriptionId);
        const priceId = subscription.pending ? subscription.pending.priceId : subscription.price.id;
        return priceId === request.priceId ? { invoiceId: subscription.latestInvoiceId ?? '' } : undefined;
      },
    },
    outcomeStep,
    // If the payment is declined, restores the scheduled change that was withdrawn.
    ...makeScheduleSteps<PlanChange>((call) => (isDeclined(call) ? call.request.scheduled : null)).map((step) => ({
      ...step,
      isOwed: true as const,
    })),
  ],
};

const kinds: Record<Quote['kind'], CallKind<PlanChange>> = {
  upgrade: upgradeKind,
  downgrade: downgradeKind,
  resume: restartKind,
};

/** `code` is the coupon code as entered. If `priceId` is missing, the price and code of the preview are used. */
type Input = { accountId: string; previewId: string; priceId?: string | undefined; code?: string | undefined };

/** Changes the plan as shown in the preview. Does nothing if the change has already succeeded. Throws AppError. */
export async function changePlan(ctx: CallContext & Needs<'vault'>, input: Input): Promise<BillingResult> {
  const { accountId } = input;
  const quote = await unsealQuote(ctx, input);
  const { priceId, code } = quote;
  if (input.priceId !== undefined && (input.code?.toUpperCase() ?? null) !== code)
    throw new AppError('preview_changed');
  const quotedAt = new Date(quote.quotedAtS * 1_000).toISOString();
  const kind = kinds[quote.kind];
  const change = { accountId, wanted: { priceId, quotedAt, code } };
  const call = await startOrAwait(ctx, { kinds: [kind], ...change }, async () => {
    const open = await continueOpenCall(ctx, kind, change);
    return open ?? (await startChange(ctx, { kind, change, quote, typedPriceId: input.priceId }));
  });
  return call ? await presentOutcome(ctx, call) : { clientSecret: null, billing: await readBilling(ctx, accountId) };
}

/** `typedPriceId` is the price in the request. If undefined, the quoted price is used. */
type QuotedChange = {
  kind: CallKind<PlanChange>;
  change: { accountId: string; wanted: Pick<PlanChange, 'priceId' | 'quotedAt' | 'code'> };
  quote: Quote;
  typedPriceId: string | undefined;
};

/** Returns undefined if the change has already been made. */
async function startChange(
  ctx: CallContext & Needs<'vault'>,
  { kind, change, quote, typedPriceId }: QuotedChange,
): Promise<Call<PlanChange> | undefined> {
  const { accountId } = change;
  const { priceId, quotedAt, code } = change.wanted;
  const own = await loadOwnSubscription(ctx, accountId);
  if (!own.account.emailVerified) throw new AppError('email_unverified');
  const current = own.subscription.price;
  const price = await findWantedPrice(ctx, { accountId, priceId: typedPriceId ?? priceId, current });
  if (price.id !== priceId) throw new AppError('preview_changed');
  if (isDone(own.subscription, quote)) {
    await awaitChange(ctx, kind, change);
    return undefined;
  }
  const coupon = code === null ? null : await findQuotedCoupon(ctx, { code, accountId, tier: price.tier });
  const wanted = { accountId, own, price, coupon, quote };
  await requireMatchingQuote(ctx, wanted);
  const settled = coupon ? await settleReserved(ctx, wanted) : own;
  const request = toPlanChange(settled, { price, quotedAt, coupon });
  return await runChange(ctx, kind, { ...change, request });
}

type PricedChange = {
  accountId: string;
  own: LoadedSubscription;
  price: PlanPrice;
  coupon: SyncedCoupon | null;
  quote: Quote;
};

/** Throws AppError `preview_changed` if the effect or cost of the change differs from what the user saw. */
async function requireMatchingQuote(ctx: Needs<'db' | 'payments'>, { own, price, coupon, quote }: PricedChange) {
  const { quote: current } = await makeQuote(ctx, { own, price, coupon, quotedAtS: quote.quotedAtS });
  const comparedFields = ['kind', 'subscriptionId', 'today', 'next'] as const;
  if (comparedFields.some((name) => current[name] !== quote[name])) throw new AppError('preview_changed');
}

/**
 * Settles a coupon use that an earlier change has reserved. If the payment for that change is pending, withdraws the
 * change. Otherwise, syncs its result from Stripe. Returns the resulting subscription.
 */
async function settleReserved(ctx: CallContext, wanted: PricedChange): Promise<LoadedSubscription> {
  const { accountId, own } = wanted;
  if (!(await hasReservedUse(ctx.db, accountId))) return own;
  if (own.subscription.pending) await undoChange(ctx, accountId);
  else await syncNow(ctx, accountId);
  const settled = await loadOwnSubscription(ctx, accountId);
  // Compares with the quote again, because the earlier change may have been paid at the last moment.
  await requireMatchingQuote(ctx, { ...wanted, own: settled });
  return settled;
}

function isDone(
  { price, pending, next, periodStart, isPaused }: Subscription,
  { kind, priceId, quotedAtS }: Quote,
): boolean {
  if (kind === 'downgrade') return next?.priceId === priceId;
  return !pending && !isPaused && price.id === priceId && Number(periodStart) >= quotedAtS * 1_000;
}

/** Withdraws a scheduled downgrade, or an upgrade whose payment is pending. */
export const undoKind: CallKind<Withdrawal> = {
  name: 'undo',
  slot: 'change',
  expiresS: changeTimeoutS,
  steps: withdrawalSteps,
};

/** Withdraws plan changes that haven't taken effect yet. Does nothing if none are pending. Throws AppError. */
export async function undoChange(ctx: CallContext, accountId: string): Promise<Billing> {
  const change = { accountId, wanted: {} };
  if (!(await continueOpenCall(ctx, undoKind, change))) {
    const { subscription } = await loadOwnSubscription(ctx, accountId);
    requirePaidSubscription(subscription);
    const request = withdrawalOf(subscription);
    if (request.scheduleId || request.pendingInvoiceId) await runChange(ctx, undoKind, { ...change, request });
    else await awaitChange(ctx, undoKind, change);
  }
  return await readBilling(ctx, accountId);
}
