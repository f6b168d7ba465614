import { defineResource } from '../http/define-resource.ts';
import { makeId } from '../make-id.ts';
import { mergeMetadata } from '../parameters/merge-field.ts';
import type { Tables } from '../state/tables.ts';
import { invalidRequestError } from '../stripe-error.ts';

type Coupon = Tables['coupons'];

const coupons = defineResource({ path: '/v1/coupons', object: 'Coupon', table: 'coupons', view: couponAt });

export const couponCalls = [
  coupons.create({
    serves: [
      'amount_off',
      'applies_to',
      'currency',
      'duration',
      'duration_in_months',
      'id',
      'max_redemptions',
      'metadata',
      'name',
      'percent_off',
      'redeem_by',
    ],
    run: (context, params) => {
      const { id = makeId('coupon'), duration = 'once', redeem_by: redeemBy = null } = params;
      if (context.store.get('coupons', id))
        throw invalidRequestError('Coupon already exists.', { code: 'resource_already_exists', param: 'id' });
      requireValidDiscount(params);
      if ((duration === 'repeating') !== (params.duration_in_months !== undefined))
        throw invalidRequestError('duration_in_months is required if and only if duration is repeating.', {
          param: 'duration_in_months',
        });
      const coupon = context.save('coupons', 'coupon.created', {
        id,
        object: 'coupon',
        amount_off: params.amount_off ?? null,
        created: context.now(),
        currency: params.currency ?? null,
        duration,
        duration_in_months: params.duration_in_months ?? null,
        livemode: false,
        max_redemptions: params.max_redemptions ?? null,
        metadata: mergeMetadata({}, params.metadata),
        name: params.name || null,
        percent_off: params.percent_off ?? null,
        redeem_by: redeemBy,
        times_redeemed: 0,
        valid: redeemBy === null || redeemBy > context.now(),
      });
      const products = params.applies_to?.products ?? [];
      if (products.length > 0) context.store.put('couponScopes', { id, appliesTo: { products } });
      return coupon;
    },
  }),
  coupons.retrieve(),
  coupons.update({
    serves: ['metadata', 'name'],
    run: (context, params, before) => {
      const coupon = context.save('coupons', 'coupon.updated', {
        ...before,
        metadata: mergeMetadata(before.metadata, params.metadata),
        name: params.name === undefined ? before.name : params.name || null,
      });
      return couponAt(coupon, context.now());
    },
  }),
  coupons.delete({
    run: (context, _params, coupon) => {
      context.store.remove('coupons', coupon.id);
      context.store.put('deletedCoupons', coupon);
      context.emit('coupon.deleted', coupon);
      return { id: coupon.id, object: 'coupon', deleted: true };
    },
  }),
  coupons.list({ filters: ['created'] }),
];

/** Returns a coupon with its `valid` field computed for `now`, a Unix time in seconds. */
export function couponAt(coupon: Coupon, now: number): Coupon {
  const isExpired = coupon.redeem_by !== null && coupon.redeem_by <= now;
  const isUsedUp = coupon.max_redemptions !== null && coupon.times_redeemed >= coupon.max_redemptions;
  return { ...coupon, valid: !isExpired && !isUsedUp };
}

function requireValidDiscount(params: { percent_off?: number; amount_off?: number; currency?: string }): void {
  const { percent_off: percent, amount_off: amount, currency } = params;
  if ((percent === undefined) === (amount === undefined))
    throw invalidRequestError('Must provide exactly one of percent_off or amount_off.', { code: 'parameter_missing' });
  if (percent !== undefined && (percent <= 0 || percent > 100))
    throw invalidRequestError('Invalid percent_off: must be greater than 0 and at most 100.', { param: 'percent_off' });
  if (amount !== undefined && (amount < 1 || !Number.isInteger(amount)))
    throw invalidRequestError('Invalid amount_off: must be a positive number of cents.', { param: 'amount_off' });
  if (amount !== undefined && !currency)
    throw invalidRequestError('You must pass currency when passing amount_off.', { param: 'currency' });
}
