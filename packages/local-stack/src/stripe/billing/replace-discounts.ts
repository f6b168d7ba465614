import type { Context } from '../context.ts';
import { getRow } from '../parameters/get-row.ts';
import { idOf } from '../parameters/merge-field.ts';
import { resourceMissing } from '../stripe-error.ts';
import { type Discount, makeDiscounts, redeemDiscounts } from './discounts.ts';
import type { Subscription } from './subscription-items.ts';

interface DiscountInput {
  coupon?: string;
  promotion_code?: string;
  /** ID of a discount that the subscription has. */
  discount?: string;
}

/** Gives a subscription other discounts, which apply from its next invoice on. Returns their IDs. */
export function replaceDiscounts(context: Context, before: Subscription, inputs: readonly DiscountInput[]): string[] {
  const current = before.discounts.map((discount) => idOf(discount));
  const owner = { customer: idOf(before.customer), subscription: before.id };
  const after = inputs.map(({ discount: kept, ...input }, index): Discount => {
    if (kept === undefined) return addDiscount(context, input, owner);
    if (!current.includes(kept))
      throw resourceMissing('discount', { id: kept, param: `discounts[${index}][discount]` });
    return getRow(context, 'discounts', { id: kept });
  });
  const ids = after.map(({ id }) => id);
  for (const id of current)
    if (!ids.includes(id)) context.emit('customer.discount.deleted', getRow(context, 'discounts', { id }));
  return ids;
}

function addDiscount(context: Context, input: DiscountInput, owner: Parameters<typeof makeDiscounts>[2]): Discount {
  const [discount] = makeDiscounts(context, [input], owner);
  if (!discount) throw new Error('a discount was not made');
  redeemDiscounts(context, [discount]);
  return discount;
}
