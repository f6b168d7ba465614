import type { Context } from '../context.ts';
import { makeId } from '../make-id.ts';
import { idOf } from '../parameters/merge-field.ts';
import { saveSubscription } from './save-subscription.ts';
import type { Schedule } from './schedules.ts';
import { itemOf, type Period, type Subscription } from './subscription-items.ts';

type Phase = Schedule['phases'][number];

/** Stores a schedule whose only phase is the current period of a subscription. */
export function createSchedule(context: Context, subscription: Subscription): Schedule {
  const item = itemOf(subscription);
  const period = { start: item.current_period_start, end: item.current_period_end };
  const schedule = context.store.put('subscriptionSchedules', {
    id: makeId('sub_sched'),
    object: 'subscription_schedule',
    application: null,
    billing_mode: subscription.billing_mode,
    canceled_at: null,
    completed_at: null,
    created: context.now(),
    current_phase: { start_date: period.start, end_date: period.end },
    customer: idOf(subscription.customer),
    customer_account: null,
    default_settings: defaultSettings,
    end_behavior: 'release',
    livemode: false,
    metadata: {},
    pause_schedules: [],
    phases: [
      makePhase({
        price: item.price.id,
        discounts: subscription.discounts.map((discount) => idOf(discount)),
        currency: item.price.currency,
        period,
      }),
    ],
    released_at: null,
    released_subscription: null,
    status: 'active',
    subscription: subscription.id,
    test_clock: subscription.test_clock,
  });
  context.emit('subscription_schedule.created', schedule);
  saveSubscription(context, subscription, { schedule: schedule.id });
  return schedule;
}

const defaultSettings: Schedule['default_settings'] = {
  application_fee_percent: null,
  billing_cycle_anchor: 'automatic',
  billing_thresholds: null,
  collection_method: 'charge_automatically',
  default_payment_method: null,
  description: null,
  invoice_settings: {
    account_tax_ids: null,
    custom_fields: null,
    days_until_due: null,
    description: null,
    footer: null,
    issuer: { type: 'self' },
  },
  on_behalf_of: null,
  transfer_data: null,
};

interface PhaseInput {
  price: string;
  /** IDs. */
  discounts: readonly string[];
  currency: string;
  period: Period;
}

export const makePhase = ({ price, discounts, currency, period }: PhaseInput): Phase => ({
  add_invoice_items: [],
  application_fee_percent: null,
  billing_cycle_anchor: null,
  billing_thresholds: null,
  collection_method: null,
  currency,
  default_payment_method: null,
  default_tax_rates: [],
  description: null,
  discounts: discounts.map((discount) => ({ coupon: null, discount, promotion_code: null })),
  end_date: period.end,
  invoice_settings: null,
  items: [{ billing_thresholds: null, discounts: [], metadata: {}, plan: price, price, quantity: 1, tax_rates: [] }],
  metadata: {},
  on_behalf_of: null,
  proration_behavior: 'none',
  start_date: period.start,
  transfer_data: null,
  trial_end: null,
});
