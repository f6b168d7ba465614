import { randomBytes } from 'node:crypto';
import type { Context } from '../context.ts';
import { defineCall } from '../http/define-call.ts';
import { isWithin, listPage } from '../http/list-page.ts';
import { makeId } from '../make-id.ts';
import { getRow } from '../parameters/get-row.ts';
import { idOf, mergeMetadata } from '../parameters/merge-field.ts';
import type { Tables } from '../state/tables.ts';
import { invalidRequestError } from '../stripe-error.ts';

type PromotionCode = Tables['promotionCodes'];

export const promotionCodeCalls = [
  defineCall({
    method: 'POST',
    path: '/v1/promotion_codes',
    params: 'PromotionCodeCreateParams',
    serves: ['active', 'code', 'customer', 'expires_at', 'max_redemptions', 'metadata', 'promotion'],
    reply: 'PromotionCode',
    run: (context, params) => {
      const { coupon = '' } = params.promotion;
      getRow(context, 'coupons', { id: coupon, param: 'promotion[coupon]' });
      if (params.customer) getRow(context, 'customers', { id: params.customer, param: 'customer' });
      const { code = randomBytes(4).toString('hex').toUpperCase(), active = true } = params;
      if (active) requireUnusedCode(context, code);
      const promotionCode = context.store.put('promotionCodes', {
        id: makeId('promo'),
        object: 'promotion_code',
        active,
        code,
        created: context.now(),
        customer: params.customer ?? null,
        customer_account: null,
        expires_at: params.expires_at ?? null,
        livemode: false,
        max_redemptions: params.max_redemptions ?? null,
        metadata: mergeMetadata({}, params.metadata),
        promotion: { coupon, type: 'coupon' },
        restrictions: { first_time_transaction: false, minimum_amount: null, minimum_amount_currency: null },
        times_redeemed: 0,
      });
      context.emit('promotion_code.created', promotionCode);
      return promotionCode;
    },
  }),
  defineCall({
    method: 'GET',
    path: '/v1/promotion_codes/:id',
    params: 'PromotionCodeRetrieveParams',
    reply: 'PromotionCode',
    run: (context, _params, id) => promotionCodeAt(getRow(context, 'promotionCodes', { id }), context.now()),
  }),
  defineCall({
    method: 'POST',
    path: '/v1/promotion_codes/:id',
    params: 'PromotionCodeUpdateParams',
    serves: ['active', 'metadata'],
    reply: 'PromotionCode',
    run: (context, params, id) => {
      const before = getRow(context, 'promotionCodes', { id });
      if (params.active && !before.active) requireUnusedCode(context, before.code);
      const promotionCode = context.store.put('promotionCodes', {
        ...before,
        active: params.active ?? before.active,
        metadata: mergeMetadata(before.metadata, params.metadata),
      });
      context.emit('promotion_code.updated', promotionCode);
      return promotionCode;
    },
  }),
  defineCall({
    method: 'GET',
    path: '/v1/promotion_codes',
    params: 'PromotionCodeListParams',
    serves: ['active', 'code', 'coupon', 'created', 'customer'],
    reply: 'PromotionCodeList',
    run: ({ store, now }, params) => {
      const rows = store
        .list('promotionCodes')
        .map((promotionCode) => promotionCodeAt(promotionCode, now()))
        .filter(({ active }) => params.active === undefined || active === params.active)
        .filter(({ code }) => !params.code || isSameCode(code, params.code))
        .filter(({ promotion }) => !params.coupon || idOf(promotion.coupon) === params.coupon)
        .filter(({ customer }) => !params.customer || idOf(customer) === params.customer)
        .filter(({ created }) => isWithin(created, params.created));
      return listPage(rows, params, '/v1/promotion_codes');
    },
  }),
];

/** Throws if another active promotion code has the same code, ignoring case. */
function requireUnusedCode({ store, now }: Context, code: string): void {
  const holder = store
    .list('promotionCodes')
    .find((one) => promotionCodeAt(one, now()).active && isSameCode(one.code, code));
  if (holder) throw invalidRequestError('An active promotion code with this code already exists.', { param: 'code' });
}

const isSameCode = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

/** Returns a promotion code with its `active` field computed for `now`, a Unix time in seconds. */
export function promotionCodeAt(promotionCode: PromotionCode, now: number): PromotionCode {
  const { expires_at: expiresAt, max_redemptions: most, times_redeemed: uses } = promotionCode;
  const isEnded = (expiresAt !== null && expiresAt <= now) || (most !== null && uses >= most);
  return { ...promotionCode, active: promotionCode.active && !isEnded };
}
