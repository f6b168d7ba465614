import type { Context } from '../context.ts';
import { makeId } from '../make-id.ts';
import { getRow } from '../parameters/get-row.ts';
import { idOf } from '../parameters/merge-field.ts';
import { couponAt } from '../resources/coupons.ts';
import { promotionCodeAt } from '../resources/promotion-codes.ts';
import { fillNulls } from '../schemas.ts';
import type { Tables } from '../state/tables.ts';
import { invalidRequestError } from '../stripe-error.ts';
import { calendarOf } from './calendar.ts';

export type Discount = Tables['discounts'];

interface DiscountInput {
  coupon?: string;
  promotion_code?: string;
}

interface Owner {
  customer: string;
  /** Null for one-time payments. */
  subscription: string | null;
}

/**
 * Returns the discounts that a request asks for, without storing them. Throws Stripe's error if a discount isn't valid.
 */
export const makeDiscounts = (context: Context, inputs: readonly DiscountInput[], owner: Owner): Discount[] =>
  inputs.map((input, index) => makeDiscount(context, { ...input, param: `discounts[${index}]` }, owner));

function makeDiscount(
  context: Context,
  { coupon, promotion_code: code, param }: DiscountInput & { param: string },
  { customer, subscription }: Owner,
): Discount {
  const promotion = code
    ? getRow(context, 'promotionCodes', { id: code, param: `${param}[promotion_code]` })
    : undefined;
  if (promotion && !promotionCodeAt(promotion, context.now()).active)
    throw invalidRequestError('This promotion code is not active.', { param: `${param}[promotion_code]` });
  const couponId = idOf(promotion?.promotion.coupon) ?? coupon ?? '';
  const terms = couponAt(getRow(context, 'coupons', { id: couponId, param: `${param}[coupon]` }), context.now());
  if (!terms.valid)
    throw invalidRequestError(`Coupon ${couponId} is expired or used up.`, { code: 'coupon_expired', param });
  const start = context.now();
  return fillNulls('Discount', {
    id: makeId('di'),
    object: 'discount',
    customer,
    end: terms.duration === 'repeating' ? calendarOf(context, customer).add(start, couponIntervalOf(terms)) : null,
    promotion_code: promotion?.id ?? null,
    source: { type: 'coupon', coupon: couponId },
    start,
    subscription,
  });
}

const couponIntervalOf = ({ duration_in_months: months }: Tables['coupons']) => ({
  interval: 'month',
  interval_count: months ?? 1,
});

/** Stores new discounts, and increments the redemption counts of their coupons and promotion codes. */
export function redeemDiscounts({ store, save }: Context, discounts: readonly Discount[]): void {
  for (const discount of discounts) {
    const coupon = store.get('coupons', idOf(discount.source.coupon) ?? '');
    if (coupon) store.put('coupons', { ...coupon, times_redeemed: coupon.times_redeemed + 1 });
    const promotion = store.get('promotionCodes', idOf(discount.promotion_code) ?? '');
    if (promotion) store.put('promotionCodes', { ...promotion, times_redeemed: promotion.times_redeemed + 1 });
    save('discounts', 'customer.discount.created', discount);
  }
}

/** Returns a subscription's discounts that haven't expired. */
export const listDiscounts = (context: Context, subscription: Tables['subscriptions']): Discount[] =>
  subscription.discounts
    .map((discount) => getRow(context, 'discounts', { id: idOf(discount) }))
    .filter(({ end }) => end === null || end > context.now());

/**
 * Returns the IDs of the discounts that a subscription keeps after an invoice with the discounts `used`. Ends one-time
 * discounts and discounts that have expired.
 */
export function spendDiscounts(context: Context, subscription: Tables['subscriptions'], used: readonly Discount[]) {
  const kept = used.filter((discount) => getDiscountCoupon(context, discount).duration !== 'once').map(({ id }) => id);
  for (const discount of subscription.discounts)
    if (!kept.includes(idOf(discount)))
      context.emit('customer.discount.deleted', getRow(context, 'discounts', { id: idOf(discount) }));
  return kept;
}

/** Even if the coupon has been deleted. */
export function getDiscountCoupon({ store }: Context, { id, source }: Discount): Tables['coupons'] {
  const couponId = idOf(source.coupon) ?? '';
  const terms = store.get('coupons', couponId) ?? store.get('deletedCoupons', couponId);
  if (!terms) throw new Error(`${id} has no coupon`);
  return terms;
}
