import type Stripe from 'stripe';
import { cancelSubscription, isEnded } from '../billing/cancel-subscription.ts';
import { changePrice, readPriceChange } from '../billing/change-price.ts';
import { createSubscription } from '../billing/create-subscription.ts';
import { replaceDiscounts } from '../billing/replace-discounts.ts';
import { saveSubscription } from '../billing/save-subscription.ts';
import { getSubscriptionItem, type Subscription } from '../billing/subscription-items.ts';
import type { Context } from '../context.ts';
import { defineResource } from '../http/define-resource.ts';
import { idOf, mergeMetadata, mergeText } from '../parameters/merge-field.ts';
import { invalidRequestError, missingResourceError, notServedError } from '../stripe-error.ts';
import type { Wire } from '../wire.ts';

const fields = [
  'cancel_at_period_end',
  'cancellation_details',
  'default_payment_method',
  'discounts',
  'metadata',
  'pause_collection',
] as const;
const priceChangeFields = [
  'billing_cycle_anchor',
  'items',
  'payment_behavior',
  'proration_behavior',
  'proration_date',
] as const;
type Params = Pick<Wire<Stripe.SubscriptionUpdateParams>, (typeof fields | typeof priceChangeFields)[number]>;

const subscriptions = defineResource({ path: '/v1/subscriptions', object: 'Subscription', table: 'subscriptions' });

export const subscriptionCalls = [
  subscriptions.create({
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
    run: (context, params) => {
      const { customer = '', items = [], payment_settings: settings } = params;
      if (params.payment_behavior !== 'default_incomplete')
        throw notServedError('The double serves default_incomplete.', 'payment_behavior');
      if (params.billing_mode?.type !== 'flexible')
        throw notServedError('The double serves flexible.', 'billing_mode[type]');
      if (items.length !== 1 || (items[0]?.quantity ?? 1) !== 1)
        throw notServedError('The double serves one item with a quantity of 1.', 'items');
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
  subscriptions.retrieve(),
  subscriptions.update({
    serves: [...fields, ...priceChangeFields],
    run: updateSubscription,
  }),
  subscriptions.action('Cancel', {
    method: 'DELETE',
    path: '',
    serves: ['cancellation_details', 'invoice_now', 'prorate'],
    run: (context, params, subscription) => {
      if (isEnded(subscription)) throw missingResourceError('subscription', { id: subscription.id });
      if (params.invoice_now) throw notServedError('The double serves false.', 'invoice_now');
      if (params.prorate) throw notServedError('The double serves false.', 'prorate');
      const details = mergeDetails(subscription, params.cancellation_details);
      return cancelSubscription(context, subscription, { ...details, reason: 'cancellation_requested' });
    },
  }),
  subscriptions.list({
    filters: ['created', 'customer'],
    serves: ['price', 'status', 'test_clock'],
    where: (subscription, params) =>
      ((params.customer && !params.test_clock) || hasClock(subscription.test_clock, params)) &&
      (!params.price || getSubscriptionItem(subscription).price.id === params.price) &&
      hasStatus(subscription, params.status),
  }),
];

/**
 * Whether a subscription has the requested test clock. If the request has no test clock, lists omit subscriptions that
 * have one.
 */
const hasClock = (clock: Subscription['test_clock'], { test_clock: asked = null }: { test_clock?: string | null }) =>
  idOf(clock) === asked;

/** Whether a subscription has the requested status. If the request has no status, lists omit canceled subscriptions. */
function hasStatus(subscription: Subscription, status: string | undefined): boolean {
  if (status === 'all') return true;
  if (status === 'ended') return isEnded(subscription);
  return status ? subscription.status === status : subscription.status !== 'canceled';
}

/** A price change can be combined only with discounts. */
function updateSubscription(context: Context, params: Params, before: Subscription): Subscription {
  requireChangeable(before, params);
  if (params.items || params.billing_cycle_anchor) {
    if (params.payment_behavior !== 'pending_if_incomplete')
      throw notServedError('The double serves pending_if_incomplete.', 'payment_behavior');
    if (params.metadata !== undefined)
      throw notServedError("The double doesn't change prices and metadata together.", 'metadata');
    const extra = fields.find((field) => field !== 'discounts' && params[field] !== undefined);
    if (extra)
      throw invalidRequestError(
        `Invalid parameter: ${extra}. When \`payment_behavior\` is set to \`pending_if_incomplete\`, you can only pass supported params.`,
        { param: extra },
      );
    return changePrice(context, before, readPriceChange(before, params));
  }
  return saveSubscription(context, before, {
    ...readCancellation(context, before, params),
    ...readPause(context, params.pause_collection),
    ...readMethod(context, before, params.default_payment_method),
    ...(params.discounts !== undefined && {
      discounts: replaceDiscounts(context, before, params.discounts || []),
    }),
    metadata: mergeMetadata(before.metadata, params.metadata),
  });
}

/**
 * Throws if an update isn't allowed. Ended subscriptions accept only metadata and cancellation details. Subscriptions
 * with a schedule don't accept price changes or cancellations. Incomplete subscriptions don't accept price changes.
 */
function requireChangeable(subscription: Subscription, params: Params): void {
  const isChange = Object.entries(params).some(
    ([key, value]) => value !== undefined && !endedSubscriptionFields.includes(key),
  );
  if (isEnded(subscription) && isChange)
    throw invalidRequestError('A canceled subscription can only update its cancellation_details and metadata.');
  if (subscription.schedule && (params.items || params.cancel_at_period_end !== undefined))
    throw invalidRequestError(
      `The subscription is managed by the subscription schedule \`${idOf(subscription.schedule)}\`, and updating it directly is not allowed. Please update the schedule instead.`,
    );
  if (subscription.status === 'incomplete' && params.items)
    throw invalidRequestError('You cannot update the items of a subscription in `incomplete` status.', {
      param: 'items',
    });
}

const endedSubscriptionFields = ['cancellation_details', 'expand', 'metadata'];

function readCancellation(context: Context, before: Subscription, params: Params): Partial<Subscription> {
  const details = mergeDetails(before, params.cancellation_details);
  const { cancel_at_period_end: isAtEnd } = params;
  if (isAtEnd === undefined) return { cancellation_details: details };
  return {
    cancel_at: isAtEnd ? getSubscriptionItem(before).current_period_end : null,
    cancel_at_period_end: isAtEnd,
    canceled_at: isAtEnd ? context.now() : null,
    cancellation_details: { ...details, reason: isAtEnd ? 'cancellation_requested' : null },
  };
}

type Details = NonNullable<Subscription['cancellation_details']>;

/** An empty string clears a field. */
function mergeDetails(
  { cancellation_details: details }: Subscription,
  input: Wire<Stripe.SubscriptionUpdateParams.CancellationDetails> = {},
): Details {
  const { comment, feedback } = input;
  return {
    comment: mergeText(comment, details?.comment),
    feedback: feedback === undefined ? (details?.feedback ?? null) : feedback || null,
    feedback_option: null,
    reason: details?.reason ?? null,
  };
}

function readPause(context: Context, input: Params['pause_collection']): Partial<Subscription> {
  if (input === undefined) return {};
  if (!input) return { pause_collection: null };
  const { behavior, resumes_at: resumesAt = null } = input;
  if (behavior !== 'void') throw notServedError('The double serves void.', 'pause_collection[behavior]');
  if (resumesAt !== null && resumesAt <= context.now())
    throw invalidRequestError('resumes_at must be in the future.', { param: 'pause_collection[resumes_at]' });
  return { pause_collection: { behavior, resumes_at: resumesAt } };
}

/** Reads the default payment method from an update. Throws unless it belongs to the subscription's customer. */
function readMethod({ store }: Context, before: Subscription, id: string | undefined): Partial<Subscription> {
  if (id === undefined) return {};
  const method = store.get('paymentMethods', id);
  if (!method || idOf(method.customer) !== idOf(before.customer))
    throw missingResourceError('PaymentMethod', { id, param: 'default_payment_method' });
  return { default_payment_method: id };
}
