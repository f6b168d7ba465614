import { randomUUID } from 'node:crypto';
import type { Db } from '@uprez/db/database';
import { type CouponRow, insertCoupon } from '@uprez/db/queries/coupons/coupons';

type CouponChange = Partial<Omit<Parameters<typeof insertCoupon>[1], 'amount'>> & { amount?: number | null };

/** Creates a coupon of 10% for the first bill that is at Stripe already, unless `change` says otherwise. */
export async function makeCoupon(db: Db, change: CouponChange = {}): Promise<CouponRow> {
  const id = randomUUID();
  const coupon = await db.transaction().execute((tx) =>
    insertCoupon(tx, {
      id,
      code: `TEST-${id.slice(0, 8).toUpperCase()}`,
      percent: change.amount ? null : 10,
      currency: 'usd',
      description: 'For tests',
      duration: 'once',
      promotionCodeId: `promo_${id}`,
      isActiveAtStripe: true,
      ...change,
    }),
  );
  if (!coupon) throw new Error('The code is taken.');
  return coupon;
}
