import type { CouponRow } from '@uprez/db/queries/coupons/coupons';
import { changePlan } from '@uprez/domain/billing/changes/change-plan';
import { previewChange } from '@uprez/domain/billing/changes/quote';
import { makeSyncedCoupon } from '@uprez/testing/billing/make-coupon';
import type { Subscriber } from '@uprez/testing/billing/open-billing-world';
import { openChangeWorld } from './open-change-world.ts';

type Wanted = { to?: string; coupon?: CouponRow | undefined };
const ipAddress = '192.0.2.1';

/** Opens a world whose accounts change their plans with codes. */
export async function openCodeWorld() {
  const world = await openChangeWorld();
  const { db, ctx } = world;
  const preview = ({ accountId }: Subscriber, { to = 'api_basic', coupon }: Wanted) =>
    previewChange(ctx, { accountId, priceId: to, typed: coupon && { code: coupon.code.toLowerCase(), ipAddress } });
  return {
    ...world,
    /** Makes a coupon with a copy at Stripe: 25%, once, for one use. */
    makeCoupon: (terms: Parameters<typeof makeSyncedCoupon>[1] = {}) =>
      makeSyncedCoupon(world, { percent: 25, maxUses: 1, ...terms }),
    preview,
    change: async (subscriber: Subscriber, { to = 'api_basic', coupon }: Wanted) => {
      const { previewId } = await preview(subscriber, { to, coupon });
      const { accountId } = subscriber;
      return await changePlan(ctx, { accountId, priceId: to, previewId, code: coupon?.code });
    },
    usesOf: async ({ id }: CouponRow) => {
      const rows = await db.selectFrom('couponRedemptions').selectAll().where('couponId', '=', id).execute();
      const { uses } = await db.selectFrom('coupons').select('uses').where('id', '=', id).executeTakeFirstOrThrow();
      const states = rows.map(({ redeemedAt, releasedAt }) =>
        redeemedAt ? 'redeemed' : releasedAt ? 'released' : 'reserved',
      );
      return { uses, states: states.sort() };
    },
    latestInvoice: async (subscriber: Subscriber) => (await world.readInvoices(subscriber))[0],
  };
}
