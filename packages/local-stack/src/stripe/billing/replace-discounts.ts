import type { Context } from '../context.ts';
import { getRow } from '../parameters/get-row.ts';
import { idOf } from '../parameters/merge-field.ts';
import { missingResourceError } from '../stripe-error.ts';
import { type Discount, makeDiscounts, redeemDiscounts } from './discounts.ts';
import type { Subscription } from './subscription-items.ts';

export interface DiscountInput {
  coupon?: string;
  promotion_code?: string;
  /** ID of one of the subscription's current discounts. */
  discount?: string;
}

/** Returns the discounts that a subscription would have after an update. Doesn't store anything. */
export function draftDiscounts(
  context: Context,
  subscription: Subscription,
  inputs: readonly DiscountInput[],
): Discount[] {
  const current = subscription.discounts.map((discount) => idOf(discount));
  const owner = { customer: idOf(subscription.customer), subscription: subscription.id };
  return inputs.flatMap(({ discount: kept, ...input }, index) => {
    if (kept === undefined) return makeDiscounts(context, [input], owner);
    if (!current.includes(kept))
      throw missingResourceError('discount', { id: kept, param: `discounts[${index}][discount]` });
    return [getRow(context, 'discounts', { id: kept })];
  });
}

/**
 * Replaces the discounts of a subscription, which takes effect with its next invoice. Returns the IDs of the new
 * discounts.
 */
export const replaceDiscounts = (context: Context, before: Subscription, inputs: readonly DiscountInput[]): string[] =>
  storeDiscounts(context, before, draftDiscounts(context, before, inputs));

/**
 * Redeems the discounts in `after` that are new to a subscription, and ends the subscription's other discounts. Returns
 * the IDs of the discounts in `after`.
 */
export function storeDiscounts(context: Context, before: Subscription, after: readonly Discount[]): string[] {
  const current = before.discounts.map((discount) => idOf(discount));
  const ids = after.map(({ id }) => id);
  redeemDiscounts(
    context,
    after.filter(({ id }) => !current.includes(id)),
  );
  for (const id of current)
    if (!ids.includes(id)) context.emit('customer.discount.deleted', getRow(context, 'discounts', { id }));
  return ids;
}
