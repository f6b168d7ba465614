import { randomBytes } from 'node:crypto';
import type { Context } from '../context.ts';
import { defineResource } from '../http/define-resource.ts';
import { makeId } from '../make-id.ts';
import { getRow } from '../parameters/get-row.ts';
import { idOf, mergeMetadata } from '../parameters/merge-field.ts';
import type { Tables } from '../state/tables.ts';
import { invalidRequestError } from '../stripe-error.ts';

type PromotionCode = Tables['promotionCodes'];

const promotionCodes = defineResource({
  path: '/v1/promotion_codes',
  object: 'PromotionCode',
  table: 'promotionCodes',
  view: promotionCodeAt,
});

export const promotionCodeCalls = [
  promotionCodes.create({
    serves: ['active', 'code', 'customer', 'expires_at', 'max_redemptions', 'metadata', 'promotion'],
    run: (context, params) => {
      const { coupon = '' } = params.promotion;
      getRow(context, 'coupons', { id: coupon, param: 'promotion[coupon]' });
      if (params.customer) getRow(context, 'customers', { id: params.customer, param: 'customer' });
      const { code = randomBytes(4).toString('hex').toUpperCase(), active = true } = params;
      if (active) requireUnusedCode(context, code);
      return context.save('promotionCodes', 'promotion_code.created', {
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
    },
  }),
  promotionCodes.retrieve(),
  promotionCodes.update({
    serves: ['active', 'metadata'],
    run: (context, params, before) => {
      if (params.active && !before.active) requireUnusedCode(context, before.code);
      return context.save('promotionCodes', 'promotion_code.updated', {
        ...before,
        active: params.active ?? before.active,
        metadata: mergeMetadata(before.metadata, params.metadata),
      });
    },
  }),
  promotionCodes.list({
    filters: ['active', 'created', 'customer'],
    serves: ['code', 'coupon'],
    where: ({ code, promotion }, params) =>
      (!params.code || isSameCode(code, params.code)) && (!params.coupon || idOf(promotion.coupon) === params.coupon),
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
