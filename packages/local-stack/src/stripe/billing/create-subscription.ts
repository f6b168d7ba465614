import type { Context } from '../context.ts';
import { makeId } from '../make-id.ts';
import { getRow } from '../parameters/get-row.ts';
import { idOf } from '../parameters/merge-field.ts';
import { createSetupIntent } from '../payments/create-intent.ts';
import { fillNulls } from '../schemas.ts';
import type { Tables } from '../state/tables.ts';
import { calendarOf } from './calendar.ts';
import { makeDiscounts, redeemDiscounts, spendDiscounts } from './discounts.ts';
import { findDefaultMethod } from './find-invoice.ts';
import { makeLine } from './invoice-lines.ts';
import { requireTaxLocation } from './line-amounts.ts';
import { type Invoice, makeInvoice } from './make-invoice.ts';
import { createInvoice, finalizeInvoice } from './open-invoice.ts';
import {
  getRecurringPrice,
  getSubscriptionItem,
  makeItem,
  type Period,
  requireInterval,
  type Subscription,
} from './subscription-items.ts';

export interface NewSubscription {
  customer: string;
  price: string | undefined;
  discounts: readonly { coupon?: string; promotion_code?: string }[];
  metadata: Record<string, string>;
  /** Whether the payment method used to pay an invoice becomes the subscription's default. */
  savesMethod: boolean;
  collectsTax: boolean;
}

/**
 * Creates a subscription and its first invoice, which the customer has to pay. If nothing is due, the subscription
 * becomes active immediately. A setup intent then asks for a payment method if the customer has none.
 */
export function createSubscription(context: Context, input: NewSubscription): Subscription {
  const { subscription, draft, discounts } = draftSubscription(context, input);
  if (input.collectsTax) requireTaxLocation(getRow(context, 'customers', { id: input.customer }));
  redeemDiscounts(context, discounts);
  const isFree = draft.amount_due === 0;
  const needsMethod = isFree && findDefaultMethod(context, subscription) === null;
  const created = context.save('subscriptions', 'customer.subscription.created', {
    ...subscription,
    latest_invoice: draft.id,
    discounts: discounts.map(({ id }) => id),
    pending_setup_intent: needsMethod ? createSetupIntent(context, { customer: input.customer }).id : null,
    status: isFree ? 'active' : 'incomplete',
  });
  context.store.put('subscriptions', { ...created, discounts: spendDiscounts(context, created, discounts) });
  finalizeInvoice(context, createInvoice(context, draft));
  return getRow(context, 'subscriptions', { id: subscription.id });
}

/** Returns the first invoice for a subscription without storing anything. */
export function previewSubscription(
  context: Context,
  input: Omit<NewSubscription, 'metadata' | 'savesMethod'>,
): Invoice {
  const { draft } = draftSubscription(context, { ...input, metadata: {}, savesMethod: false });
  return { ...draft, billing_reason: 'upcoming', parent: null };
}

function draftSubscription(context: Context, input: NewSubscription) {
  const { customer } = input;
  getRow(context, 'customers', { id: customer, param: 'customer' });
  const price = getRecurringPrice(context, input.price, 'items[0][price]');
  const start = context.now();
  const period = { start, end: calendarOf(context, customer).add(start, requireInterval(price)) };
  const subscription = makeSubscription(context, { ...input, price, period });
  const discounts = makeDiscounts(context, input.discounts, { customer, subscription: subscription.id });
  const owner = { subscription: subscription.id, subscriptionItem: getSubscriptionItem(subscription).id };
  const lines = [makeLine(context, { price, period, ...owner })];
  const draft = makeInvoice(context, { customer, subscription, lines, discounts, reason: 'subscription_create' });
  return { subscription, discounts, draft };
}

interface Input extends Omit<NewSubscription, 'discounts' | 'price'> {
  price: Tables['prices'];
  period: Period;
}

function makeSubscription(
  context: Context,
  { customer, price, period, metadata, savesMethod, collectsTax }: Input,
): Subscription {
  const id = makeId('sub');
  const now = context.now();
  const item = makeItem(price, { subscription: id, period });
  return fillNulls('Subscription', {
    id,
    object: 'subscription',
    automatic_tax: { disabled_reason: null, enabled: collectsTax, liability: collectsTax ? { type: 'self' } : null },
    billing_cycle_anchor: period.start,
    billing_mode: { type: 'flexible', flexible: { proration_discounts: 'included' }, updated_at: now },
    billing_schedules: [],
    cancel_at_period_end: false,
    cancellation_details: { comment: null, feedback: null, feedback_option: null, reason: null },
    collection_method: 'charge_automatically',
    created: now,
    currency: price.currency,
    customer,
    default_tax_rates: [],
    discounts: [],
    invoice_settings: {
      account_tax_ids: null,
      custom_fields: null,
      description: null,
      footer: null,
      issuer: { type: 'self' },
    },
    items: { object: 'list', data: [item], has_more: false, url: `/v1/subscription_items?subscription=${id}` },
    livemode: false,
    metadata,
    payment_settings: {
      payment_method_options: null,
      payment_method_types: null,
      save_default_payment_method: savesMethod ? 'on_subscription' : 'off',
    },
    start_date: now,
    status: 'incomplete',
    test_clock: idOf(context.store.get('customers', customer)?.test_clock),
    trial_settings: { end_behavior: { billing_cycle_anchor: null, missing_payment_method: 'create_invoice' } },
  });
}
