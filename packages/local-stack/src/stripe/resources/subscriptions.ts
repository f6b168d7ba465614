import { cancelSubscription, isEnded } from '../billing/cancel-subscription.ts';
import { createSubscription } from '../billing/create-subscription.ts';
import { itemOf, type Subscription } from '../billing/subscription-items.ts';
import { defineCall } from '../http/define-call.ts';
import { isWithin, listPage } from '../http/list-page.ts';
import { getRow } from '../parameters/get-row.ts';
import { idOf } from '../parameters/merge-field.ts';
import { mergeMetadata } from '../parameters/merge-metadata.ts';
import { notServed, resourceMissing } from '../stripe-error.ts';
import { mergeDetails, updateSubscription } from './update-subscription.ts';

export const subscriptionCalls = [
  defineCall({
    method: 'POST',
    path: '/v1/subscriptions',
    params: 'SubscriptionCreateParams',
    serves: [
      'automatic_tax',
      'billing_mode',
      'customer',
      'discounts',
      'items',
      'metadata',
      'payment_behavior',
      'payment_settings',
    ],
    reply: 'Subscription',
    run: (context, params) => {
      const { customer = '', items = [], payment_settings: settings } = params;
      if (params.payment_behavior !== 'default_incomplete')
        throw notServed('The double serves default_incomplete.', 'payment_behavior');
      if (params.billing_mode?.type !== 'flexible')
        throw notServed('The double serves flexible.', 'billing_mode[type]');
      if (items.length !== 1 || (items[0]?.quantity ?? 1) !== 1)
        throw notServed('The double serves one item with a quantity of 1.', 'items');
      return createSubscription(context, {
        customer,
        price: items[0]?.price,
        discounts: params.discounts || [],
        metadata: mergeMetadata({}, params.metadata),
        collectsTax: params.automatic_tax?.enabled ?? false,
        savesMethod: settings?.save_default_payment_method === 'on_subscription',
      });
    },
  }),
  defineCall({
    method: 'GET',
    path: '/v1/subscriptions/:id',
    params: 'SubscriptionRetrieveParams',
    reply: 'Subscription',
    run: (context, _params, id) => getRow(context, 'subscriptions', { id }),
  }),
  defineCall({
    method: 'POST',
    path: '/v1/subscriptions/:id',
    params: 'SubscriptionUpdateParams',
    serves: [
      'billing_cycle_anchor',
      'cancel_at_period_end',
      'cancellation_details',
      'default_payment_method',
      'discounts',
      'items',
      'metadata',
      'pause_collection',
      'payment_behavior',
      'proration_behavior',
      'proration_date',
    ],
    reply: 'Subscription',
    run: (context, params, id) => updateSubscription(context, getRow(context, 'subscriptions', { id }), params),
  }),
  defineCall({
    method: 'DELETE',
    path: '/v1/subscriptions/:id',
    params: 'SubscriptionCancelParams',
    serves: ['cancellation_details', 'invoice_now', 'prorate'],
    reply: 'Subscription',
    run: (context, params, id) => {
      const subscription = getRow(context, 'subscriptions', { id });
      if (isEnded(subscription)) throw resourceMissing('subscription', { id });
      if (params.invoice_now) throw notServed('The double serves false.', 'invoice_now');
      if (params.prorate) throw notServed('The double serves false.', 'prorate');
      const details = mergeDetails(subscription, params.cancellation_details);
      return cancelSubscription(context, subscription, { ...details, reason: 'cancellation_requested' });
    },
  }),
  defineCall({
    method: 'GET',
    path: '/v1/subscriptions',
    params: 'SubscriptionListParams',
    serves: ['created', 'customer', 'price', 'status', 'test_clock'],
    reply: 'SubscriptionList',
    run: ({ store }, params) => {
      const rows = store
        .list('subscriptions')
        .filter(({ customer }) => !params.customer || idOf(customer) === params.customer)
        .filter(({ test_clock: clock }) => (params.customer && !params.test_clock) || hasClock(clock, params))
        .filter((subscription) => !params.price || itemOf(subscription).price.id === params.price)
        .filter((subscription) => hasStatus(subscription, params.status))
        .filter(({ created }) => isWithin(created, params.created));
      return listPage(rows, params, '/v1/subscriptions');
    },
  }),
];

/** Without a test clock, lists leave out what has one. */
const hasClock = (clock: Subscription['test_clock'], { test_clock: asked = null }: { test_clock?: string | null }) =>
  idOf(clock) === asked;

/** Without a status, lists leave out canceled subscriptions. */
function hasStatus(subscription: Subscription, status: string | undefined): boolean {
  if (status === 'all') return true;
  if (status === 'ended') return isEnded(subscription);
  return status ? subscription.status === status : subscription.status !== 'canceled';
}
