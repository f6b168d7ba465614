import { defineCall } from '../http/define-call.ts';
import { isWithin, listPage } from '../http/list-page.ts';
import { makeId } from '../make-id.ts';
import { getRow } from '../parameters/get-row.ts';
import { mergeMetadata } from '../parameters/merge-field.ts';
import type { Tables } from '../state/tables.ts';
import { invalidRequestError } from '../stripe-error.ts';

type Coupon = Tables['coupons'];

export const couponCalls = [
  defineCall({
    method: 'POST',
    path: '/v1/coupons',
    params: 'CouponCreateParams',
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
    reply: 'Coupon',
    run: (context, params) => {
      const { id = makeId('coupon'), duration = 'once', redeem_by: redeemBy = null } = params;
      if (context.store.get('coupons', id))
        throw invalidRequestError('Coupon already exists.', { code: 'resource_already_exists', param: 'id' });
      requireValidDiscount(params);
      if ((duration === 'repeating') !== (params.duration_in_months !== undefined))
        throw invalidRequestError('duration_in_months is required if and only if duration is repeating.', {
          param: 'duration_in_months',
        });
      const coupon = context.store.put('coupons', {
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
      context.emit('coupon.created', coupon);
      return coupon;
    },
  }),
  defineCall({
    method: 'GET',
    path: '/v1/coupons/:id',
    params: 'CouponRetrieveParams',
    reply: 'Coupon',
    run: (context, _params, id) => couponAt(getRow(context, 'coupons', { id }), context.now()),
  }),
  defineCall({
    method: 'POST',
    path: '/v1/coupons/:id',
    params: 'CouponUpdateParams',
    serves: ['metadata', 'name'],
    reply: 'Coupon',
    run: (context, params, id) => {
      const before = getRow(context, 'coupons', { id });
      const coupon = context.store.put('coupons', {
        ...before,
        metadata: mergeMetadata(before.metadata, params.metadata),
        name: params.name === undefined ? before.name : params.name || null,
      });
      context.emit('coupon.updated', coupon);
      return couponAt(coupon, context.now());
    },
  }),
  defineCall({
    method: 'DELETE',
    path: '/v1/coupons/:id',
    params: 'CouponDeleteParams',
    reply: 'DeletedCoupon',
    run: (context, _params, id) => {
      const coupon = getRow(context, 'coupons', { id });
      context.store.remove('coupons', id);
      context.store.put('deletedCoupons', coupon);
      context.emit('coupon.deleted', coupon);
      return { id, object: 'coupon', deleted: true };
    },
  }),
  defineCall({
    method: 'GET',
    path: '/v1/coupons',
    params: 'CouponListParams',
    serves: ['created'],
    reply: 'CouponList',
    run: ({ store, now }, params) => {
      const rows = store.list('coupons').filter(({ created }) => isWithin(created, params.created));
      const page = listPage(rows, params, '/v1/coupons');
      return { ...page, data: page.data.map((coupon) => couponAt(coupon, now())) };
    },
  }),
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
