import type { Context } from '../context.ts';
import { makeId } from '../make-id.ts';
import { getRow } from '../parameters/get-row.ts';
import { idOf } from '../parameters/merge-field.ts';
import { fillNulls } from '../schemas.ts';
import type { Tables } from '../state/tables.ts';
import { invalidRequestError } from '../stripe-error.ts';

type Price = Tables['prices'];
export type Subscription = Tables['subscriptions'];
export type SubscriptionItem = Subscription['items']['data'][number];

/** A time span between two Unix times in seconds. */
export interface Period {
  start: number;
  end: number;
}

/** Throws Stripe's error unless the price is active and recurring. */
export function getRecurringPrice(context: Context, id: string | undefined, param: string): Price {
  const price = getRow(context, 'prices', { id: id ?? '', param });
  if (!price.active) throw invalidRequestError(`The price specified is inactive. (${price.id})`, { param });
  if (!price.recurring)
    throw invalidRequestError(
      `The price specified is set to \`type=one_time\` but this field only accepts prices with \`type=recurring\`. (${price.id})`,
      { param },
    );
  return price;
}

/** Returns the billing interval of a price. Throws if the price is for one-time payments. */
export function requireInterval({ id, recurring }: Price): NonNullable<Price['recurring']> {
  if (!recurring) throw new Error(`${id} doesn't renew`);
  return recurring;
}

/** In the double, each subscription has exactly one item. */
export function getSubscriptionItem({ id, items }: Subscription): SubscriptionItem {
  const [item] = items.data;
  if (!item) throw new Error(`${id} has no item`);
  return item;
}

/** Returns a subscription's list of items, with changes applied to its only item. */
export const withItem = (subscription: Subscription, changes: Partial<SubscriptionItem>): Subscription['items'] => ({
  ...subscription.items,
  data: [{ ...getSubscriptionItem(subscription), ...changes }],
});

export const priceFields = (price: Price): Pick<SubscriptionItem, 'plan' | 'price'> => ({ plan: toPlan(price), price });

export const makeItem = (
  price: Price,
  { subscription, period }: { subscription: string; period: Period },
): SubscriptionItem =>
  fillNulls('SubscriptionItem', {
    ...priceFields(price),
    id: makeId('si'),
    object: 'subscription_item',
    created: period.start,
    current_period_end: period.end,
    current_period_start: period.start,
    discounts: [],
    metadata: {},
    quantity: 1,
    subscription,
    tax_rates: [],
  });

/** Plans belong to Stripe's older API, but items still contain them. */
const toPlan = (price: Price): SubscriptionItem['plan'] =>
  fillNulls('Plan', {
    id: price.id,
    object: 'plan',
    active: price.active,
    amount: price.unit_amount,
    amount_decimal: price.unit_amount_decimal,
    billing_scheme: 'per_unit',
    created: price.created,
    currency: price.currency,
    interval: price.recurring?.interval ?? 'month',
    interval_count: price.recurring?.interval_count ?? 1,
    livemode: false,
    metadata: price.metadata,
    nickname: price.nickname,
    product: idOf(price.product),
    usage_type: 'licensed',
  });
