import { randomUUID } from 'node:crypto';
import type { Db } from '@uprez/db/database';
import { type CouponRow, insertCoupon } from '@uprez/db/queries/coupons/coupons';
import { syncCoupons } from '@uprez/domain/billing/coupons/sync-coupons';
import type { Needs } from '@uprez/domain/context';

type CouponChange = Partial<Omit<Parameters<typeof insertCoupon>[1], 'id' | 'amount'>> & {
  id?: string;
  amount?: number | null;
};

/** Stores a coupon as if it were already at Stripe: 10% off one bill, unless `change` overrides it. */
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

export async function makeSyncedCoupon(
  { db, payments }: Needs<'db' | 'payments'>,
  change: CouponChange = {},
): Promise<CouponRow> {
  const coupon = await makeCoupon(db, { ...change, promotionCodeId: null, isActiveAtStripe: false });
  await syncCoupons({ db, payments, log: { info: () => {}, warn: () => {}, error: () => {} } });
  return coupon;
}
