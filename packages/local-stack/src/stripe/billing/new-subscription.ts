import type { Context } from '../context.ts';
import { makeId } from '../make-id.ts';
import { idOf } from '../parameters/merge-field.ts';
import type { Tables } from '../state/tables.ts';
import { newItem, type Period, type Subscription } from './subscription-items.ts';

interface Input {
  customer: string;
  price: Tables['prices'];
  period: Period;
  metadata: Record<string, string>;
  /** Whether the payment method that pays becomes that of the subscription. */
  savesMethod: boolean;
  /** Whether tax is computed. */
  collectsTax: boolean;
}

/** Returns an incomplete subscription, without storing it. */
export function newSubscription(
  context: Context,
  { customer, price, period, metadata, savesMethod, collectsTax }: Input,
): Subscription {
  const id = makeId('sub');
  const now = context.now();
  const item = newItem(price, { subscription: id, period });
  return {
    ...emptyFields,
    id,
    object: 'subscription',
    automatic_tax: { disabled_reason: null, enabled: collectsTax, liability: collectsTax ? { type: 'self' } : null },
    billing_cycle_anchor: period.start,
    billing_mode: { type: 'flexible', flexible: { proration_discounts: 'included' }, updated_at: now },
    billing_schedules: [],
    cancellation_details: { comment: null, feedback: null, feedback_option: null, reason: null },
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
    metadata,
    payment_settings: {
      payment_method_options: null,
      payment_method_types: null,
      save_default_payment_method: savesMethod ? 'on_subscription' : 'off',
    },
    start_date: now,
    test_clock: idOf(context.store.get('customers', customer)?.test_clock),
    trial_settings: { end_behavior: { billing_cycle_anchor: null, missing_payment_method: 'create_invoice' } },
  };
}

const emptyFields = {
  application: null,
  application_fee_percent: null,
  billing_cycle_anchor_config: null,
  billing_thresholds: null,
  cancel_at: null,
  cancel_at_period_end: false,
  canceled_at: null,
  collection_method: 'charge_automatically',
  customer_account: null,
  days_until_due: null,
  default_payment_method: null,
  default_source: null,
  description: null,
  ended_at: null,
  latest_invoice: null,
  livemode: false,
  managed_payments: null,
  next_pending_invoice_item_invoice: null,
  on_behalf_of: null,
  pause_collection: null,
  pending_invoice_item_interval: null,
  pending_setup_intent: null,
  pending_update: null,
  schedule: null,
  status: 'incomplete',
  transfer_data: null,
  trial_end: null,
  trial_start: null,
} as const;
