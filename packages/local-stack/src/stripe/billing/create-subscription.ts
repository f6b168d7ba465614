import type { Context } from '../context.ts';
import { getRow } from '../parameters/get-row.ts';
import { createSetupIntent } from '../payments/create-setup-intent.ts';
import { requireTaxLocation } from './apply-tax.ts';
import { calendarOf } from './calendar.ts';
import { makeDiscounts, redeemDiscounts, spendDiscounts } from './discounts.ts';
import { findDefaultMethod } from './find-invoice.ts';
import { makeLine } from './invoice-lines.ts';
import { type Invoice, makeInvoice } from './make-invoice.ts';
import { newSubscription } from './new-subscription.ts';
import { createInvoice, finalizeInvoice } from './open-invoice.ts';
import { getRecurringPrice, intervalOf, itemOf, type Subscription } from './subscription-items.ts';

export interface NewSubscription {
  customer: string;
  /** ID of a price. */
  price: string | undefined;
  discounts: readonly { coupon?: string; promotion_code?: string }[];
  metadata: Record<string, string>;
  savesMethod: boolean;
  collectsTax: boolean;
}

/**
 * Stores a subscription with its first invoice, which the customer has to pay. If nothing is due, the subscription is
 * active and a setup intent asks for a payment method.
 */
export function createSubscription(context: Context, input: NewSubscription): Subscription {
  const { subscription, draft, discounts } = draftSubscription(context, input);
  if (input.collectsTax) requireTaxLocation(getRow(context, 'customers', { id: input.customer }));
  redeemDiscounts(context, discounts);
  const isFree = draft.amount_due === 0;
  const needsMethod = isFree && findDefaultMethod(context, subscription) === null;
  const created = context.store.put('subscriptions', {
    ...subscription,
    latest_invoice: draft.id,
    discounts: discounts.map(({ id }) => id),
    pending_setup_intent: needsMethod ? createSetupIntent(context, { customer: input.customer }).id : null,
    status: isFree ? 'active' : 'incomplete',
  });
  context.emit('customer.subscription.created', created);
  context.store.put('subscriptions', { ...created, discounts: spendDiscounts(context, created, discounts) });
  finalizeInvoice(context, createInvoice(context, draft));
  return getRow(context, 'subscriptions', { id: subscription.id });
}

/** Returns the first invoice of a subscription. Nothing is stored. */
export function previewSubscription(
  context: Context,
  input: Omit<NewSubscription, 'metadata' | 'savesMethod'>,
): Invoice {
  const { draft } = draftSubscription(context, { ...input, metadata: {}, savesMethod: false });
  return { ...draft, billing_reason: 'upcoming', parent: null };
}

function draftSubscription(context: Context, input: NewSubscription) {
  const { customer, metadata, savesMethod, collectsTax } = input;
  getRow(context, 'customers', { id: customer, param: 'customer' });
  const price = getRecurringPrice(context, input.price, 'items[0][price]');
  const start = context.now();
  const period = { start, end: calendarOf(context, customer).add(start, intervalOf(price)) };
  const subscription = newSubscription(context, {
    customer,
    price,
    period,
    metadata,
    savesMethod,
    collectsTax,
  });
  const discounts = makeDiscounts(context, input.discounts, { customer, subscription: subscription.id });
  const owner = { subscription: subscription.id, subscriptionItem: itemOf(subscription).id };
  const lines = [makeLine(context, { price, period, ...owner })];
  const draft = makeInvoice(context, { customer, subscription, lines, discounts, reason: 'subscription_create' });
  return { subscription, discounts, draft };
}
