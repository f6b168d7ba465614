import type Stripe from 'stripe';
import type { PriceChange } from '../billing/change-price.ts';
import { itemOf, type Subscription } from '../billing/subscription-items.ts';
import { invalidRequest, notServed } from '../stripe-error.ts';
import type { Wire } from '../wire.ts';

/** Parameters that updates and previews share. */
type Params = Pick<
  Wire<Stripe.SubscriptionUpdateParams>,
  'billing_cycle_anchor' | 'discounts' | 'items' | 'proration_behavior' | 'proration_date'
>;

/** Reads a price change that starts a new period. The double doesn't support other changes of items. */
export function readPriceChange(subscription: Subscription, params: Params): PriceChange {
  const { billing_cycle_anchor: anchor, items = [], proration_behavior: proration, proration_date: date } = params;
  const [item] = items;
  if (anchor?.type !== 'now' || !item || items.length > 1)
    throw notServed('The double changes the price of one item, with billing_cycle_anchor[type]=now.', 'items');
  if (proration !== 'always_invoice' && proration !== 'none')
    throw notServed('The double serves always_invoice and none.', 'proration_behavior');
  if (item.id !== itemOf(subscription).id)
    throw invalidRequest(`Invalid subscription item: ${item.id ?? ''}`, { param: 'items[0][id]' });
  if ((item.quantity ?? 1) !== 1) throw notServed('The double serves a quantity of 1.', 'items[0][quantity]');
  const discounts = params.discounts === undefined ? undefined : params.discounts || [];
  return { price: item.price, prorates: proration === 'always_invoice', prorationDate: date, discounts };
}
