import type Stripe from 'stripe';
import type { Context } from '../context.ts';
import { getRow } from '../parameters/get-row.ts';
import { idOf } from '../parameters/merge-field.ts';
import { invalidRequestError, notServedError } from '../stripe-error.ts';
import type { Wire } from '../wire.ts';
import { calendarOf } from './calendar.ts';
import { collectInvoice } from './collect-invoice.ts';
import { type Discount, listDiscounts, spendDiscounts } from './discounts.ts';
import { type InvoiceLine, makeCreditLine, makeLine } from './invoice-lines.ts';
import { type Invoice, makeInvoice } from './make-invoice.ts';
import { createInvoice, finalizeInvoice } from './open-invoice.ts';
import { type DiscountInput, draftDiscounts } from './replace-discounts.ts';
import { saveSubscription } from './save-subscription.ts';
import {
  getRecurringPrice,
  getSubscriptionItem,
  type Period,
  priceFields,
  requireInterval,
  type Subscription,
} from './subscription-items.ts';
import { voidPendingChange } from './void-invoice.ts';

const PENDING_UPDATE_SECONDS = 23 * 3600;

interface PriceChange {
  price: string | undefined;
  /** Whether unused time at the old price is credited. */
  prorates: boolean;
  /** Unix time in seconds at which the unused time at the old price begins. Default: now. */
  prorationDate: number | undefined;
  /** The subscription's discounts after the change. Default: its current discounts. */
  discounts: readonly DiscountInput[] | undefined;
}

/**
 * Starts a new period at another price. Attempts the payment immediately. The change takes effect when its invoice is
 * paid. Until then, the subscription has a pending update, for up to 23 hours.
 */
export function changePrice(context: Context, before: Subscription, input: PriceChange): Subscription {
  const { store } = context;
  const { draft, period, price, changed } = draftChange(context, before, input);
  voidPendingChange(context, before.id);
  const change = { current_period_start: period.start, current_period_end: period.end };
  // Stores the discounts, because the invoice refers to them. They are redeemed when the invoice is paid.
  for (const discount of changed ?? []) store.put('discounts', discount);
  const changedIds = changed?.map(({ id }) => id) ?? null;
  const pending = { id: draft.id, subscription: before.id, price: price.id, discounts: changedIds, ...change };
  store.put('pendingChanges', pending);
  const discounts = changed ? before.discounts : spendDiscounts(context, before, listDiscounts(context, before));
  store.put('subscriptions', { ...before, discounts, latest_invoice: draft.id, pending_update: null });
  const invoice = finalizeInvoice(context, createInvoice(context, draft));
  if (invoice.status === 'open') collectInvoice(context, invoice, { isAutomatic: true });
  const after = getRow(context, 'subscriptions', { id: before.id });
  if (!store.get('pendingChanges', draft.id)) return after;
  return saveSubscription(context, after, {
    pending_update: {
      billing_cycle_anchor: period.start,
      cancel_at_period_end: null,
      discount: null,
      discounts: changedIds,
      expires_at: context.now() + PENDING_UPDATE_SECONDS,
      metadata: null,
      subscription_items: [{ ...getSubscriptionItem(before), ...priceFields(price), ...change }],
      trial_end: null,
      trial_from_plan: null,
    },
  });
}

/** Returns the invoice for a price change without storing anything. */
export const previewChange = (context: Context, subscription: Subscription, input: PriceChange): Invoice => ({
  ...draftChange(context, subscription, input).draft,
  billing_reason: 'upcoming',
});

function draftChange(context: Context, subscription: Subscription, input: PriceChange) {
  const price = getRecurringPrice(context, input.price, 'items[0][price]');
  const item = getSubscriptionItem(subscription);
  const start = context.now();
  const { prorates, prorationDate = start } = input;
  if (prorationDate < item.current_period_start || prorationDate > item.current_period_end)
    throw invalidRequestError('Cannot specify `proration_date` outside of current subscription period.', {
      param: 'proration_date',
    });
  const changed: Discount[] | undefined = input.discounts && draftDiscounts(context, subscription, input.discounts);
  const calendar = calendarOf(context, idOf(subscription.customer));
  const period: Period = { start, end: calendar.add(start, requireInterval(price)) };
  const credit = prorates ? makeCredit(context, subscription, prorationDate) : undefined;
  const line = makeLine(context, { price, period, subscription: subscription.id, subscriptionItem: item.id });
  const draft = makeInvoice(context, {
    customer: idOf(subscription.customer),
    subscription,
    lines: [...(credit ? [credit] : []), line],
    discounts: changed ?? listDiscounts(context, subscription),
    reason: 'subscription_update',
    prorationDate,
  });
  return { draft, period, price, changed };
}

/**
 * Returns a credit for the part of the current period after `at`, or undefined if nothing was billed for the period.
 */
function makeCredit(context: Context, subscription: Subscription, at: number): InvoiceLine | undefined {
  const item = getSubscriptionItem(subscription);
  const isBilled = (line: InvoiceLine) =>
    line.discountable && line.period.start <= at && line.period.end === item.current_period_end;
  for (const invoice of context.store.list('invoices')) {
    const { subscription_details: details } = invoice.parent ?? {};
    if (idOf(details?.subscription) !== subscription.id || invoice.status === 'void') continue;
    if (context.store.get('pendingChanges', invoice.id)) continue;
    const line = invoice.lines.data.find(isBilled);
    if (line)
      return makeCreditLine(context, {
        credited: { invoice: invoice.id, line },
        period: { start: at, end: item.current_period_end },
        price: item.price,
        subscription: subscription.id,
        subscriptionItem: item.id,
      });
  }
  return undefined;
}

type Params = Pick<
  Wire<Stripe.SubscriptionUpdateParams>,
  'billing_cycle_anchor' | 'discounts' | 'items' | 'proration_behavior' | 'proration_date'
>;

/**
 * Reads a price change that starts a new period. Throws for other changes to items, which the double doesn't support.
 */
export function readPriceChange(subscription: Subscription, params: Params): PriceChange {
  const { billing_cycle_anchor: anchor, items = [], proration_behavior: proration, proration_date: date } = params;
  const [item] = items;
  if (anchor?.type !== 'now' || !item || items.length > 1)
    throw notServedError('The double changes the price of one item, with billing_cycle_anchor[type]=now.', 'items');
  if (proration !== 'always_invoice' && proration !== 'none')
    throw notServedError('The double serves always_invoice and none.', 'proration_behavior');
  if (item.id !== getSubscriptionItem(subscription).id)
    throw invalidRequestError(`Invalid subscription item: ${item.id ?? ''}`, { param: 'items[0][id]' });
  if ((item.quantity ?? 1) !== 1) throw notServedError('The double serves a quantity of 1.', 'items[0][quantity]');
  const discounts = params.discounts === undefined ? undefined : params.discounts || [];
  return { price: item.price, prorates: proration === 'always_invoice', prorationDate: date, discounts };
}
