import { AppError } from '@uprez/contracts/errors/app-error';
import type { Tier } from '@uprez/contracts/policy/plans/plans';
import { findCouponByCode } from '@uprez/db/queries/coupons/coupons';
import type { PriceChange } from '@uprez/payments/subscription-changes';
import type { Subscription } from '@uprez/payments/subscriptions';
import type { Needs } from '../../context.ts';
import { addMonths } from '../../usage/period.ts';
import { stripeIdOf } from './coupon-terms.ts';
import { requireSynced, type SyncedCoupon } from './require-usable.ts';

type Use = { code: string; accountId: string; tier: Tier };

/** The coupon of a preview, which may be used still. Throws the error of a code that can't be used anymore. */
export async function findQuotedCoupon({ db }: Needs<'db'>, { code, ...use }: Use): Promise<SyncedCoupon> {
  const coupon = await findCouponByCode(db, code);
  if (!coupon) throw new AppError('coupon_not_found');
  return await requireSynced(db, coupon, use);
}

/** What Stripe gets with the new price. Discounts that the subscription has stay. */
export const toAddedCode = (
  { discounts }: Pick<Subscription, 'discounts'>,
  { promotionCodeId }: SyncedCoupon,
): NonNullable<PriceChange['code']> => ({ promotionCodeId, keptDiscountIds: discounts.map(({ id }) => id) });

/** The discount of a coupon that starts at a time. */
export const toDiscount = ({ id, durationMonths }: SyncedCoupon, at: Date) => ({
  couponId: stripeIdOf(id),
  endsAt: durationMonths === null ? null : addMonths(at, durationMonths),
});
