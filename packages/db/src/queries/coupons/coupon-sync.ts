import { type Selectable, sql } from 'kysely';
import type { DbOrTx } from '../../database.ts';
import type { CouponsTable } from '../../tables/coupon-tables.ts';
import { afterSeconds, now } from '../../times.ts';

/** A coupon that differs from its copy at Stripe. `isWanted`: whether its code must be active there. */
export type CouponToSync = Selectable<CouponsTable> & { isWanted: boolean };

/** A disabled code stays active at Stripe until the purchases that have reserved it end. */
const isWanted = sql<boolean>`(disabled_at is null or exists (select from coupon_redemptions
  where coupon_id = coupons.id and redeemed_at is null and released_at is null))`;

/** Coupons that must be synchronized now, oldest first. */
export const listCouponsToSync = (db: DbOrTx): Promise<CouponToSync[]> =>
  db
    .selectFrom('coupons')
    .selectAll()
    .select(isWanted.as('isWanted'))
    .where('notBefore', '<=', now)
    .where(sql<boolean>`(promotion_code_id is null or is_active_at_stripe <> ${isWanted})`)
    .orderBy('id')
    .limit(100)
    .execute();

export const completeCouponSync = (
  db: DbOrTx,
  id: string,
  copy: { promotionCodeId: string; isActiveAtStripe: boolean },
) =>
  db
    .updateTable('coupons')
    .set({ ...copy, failures: 0, error: null })
    .where('id', '=', id)
    .execute();

export const failCouponSync = (db: DbOrTx, id: string, { delayS, error }: { delayS: number; error: string }) =>
  db
    .updateTable('coupons')
    .set((eb) => ({ failures: eb('failures', '+', 1), notBefore: afterSeconds(delayS), error }))
    .where('id', '=', id)
    .execute();
