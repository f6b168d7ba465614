import type { Coupon, Redemption } from '@uprez/contracts/schemas/billing/coupons';
import { termsOf } from '@uprez/domain/billing/coupons/coupon-terms';
import type { ListedCoupon, ListedRedemption } from '@uprez/domain/billing/coupons/list-coupons';

export const presentCoupon = (coupon: ListedCoupon): Coupon => ({
  ...termsOf(coupon),
  id: coupon.id,
  state: coupon.state,
  plans: coupon.tiers,
  maxUses: coupon.maxUses,
  uses: coupon.uses,
  perAccount: coupon.perAccount,
  expiresAt: coupon.expiresAt?.toISOString() ?? null,
  disabledAt: coupon.disabledAt?.toISOString() ?? null,
  isSynced: coupon.promotionCodeId !== null,
  syncError: coupon.error,
  createdAt: coupon.createdAt.toISOString(),
});

export const presentRedemption = (row: ListedRedemption): Redemption => ({
  id: row.id,
  state: row.releasedAt ? 'released' : row.redeemedAt ? 'redeemed' : 'reserved',
  accountId: row.accountId,
  email: row.email,
  subscriptionId: row.subscriptionId,
  reservedAt: row.reservedAt.toISOString(),
  redeemedAt: row.redeemedAt?.toISOString() ?? null,
  releasedAt: row.releasedAt?.toISOString() ?? null,
});
