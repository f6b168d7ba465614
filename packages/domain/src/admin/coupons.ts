import { AppError } from '@uprez/contracts/errors/app-error';
import type { NewCoupon } from '@uprez/contracts/schemas/billing/coupons';
import { insertAudit } from '@uprez/db/queries/audit/audit-log';
import { type CouponRow, insertCoupon, lockCoupon, setCouponDisabled } from '@uprez/db/queries/coupons/coupons';
import { isInFuture } from '@uprez/db/queries/usage/allowances';
import { uuidv7 } from 'uuidv7';
import { isUuid } from '../actor.ts';
import { currency } from '../billing/catalog.ts';
import type { Needs } from '../context.ts';
import { type Administrator, lockAdmin, toAuditFields } from './administrator.ts';

/**
 * Creates a coupon. The dispatcher then creates it in Stripe. Throws `coupon_taken`, or `invalid_parameter` if
 * `expiresAt` is in the past.
 */
export const createCoupon = (
  { db }: Needs<'db'>,
  { admin, coupon }: { admin: Administrator; coupon: NewCoupon },
): Promise<CouponRow> =>
  db.transaction().execute(async (tx) => {
    await lockAdmin(tx, admin);
    const expiresAt = coupon.expiresAt === null ? null : new Date(coupon.expiresAt);
    if (expiresAt && !(await isInFuture(tx, expiresAt)))
      throw new AppError('invalid_parameter', { param: 'expiresAt', detail: 'Choose a date in the future.' });
    const created = await insertCoupon(tx, {
      ...toColumns(coupon),
      id: uuidv7(),
      expiresAt,
      createdBy: admin.accountId,
    });
    if (!created) throw new AppError('coupon_taken', { param: 'code' });
    const subject = `coupon:${created.id}`;
    await insertAudit(tx, {
      ...toAuditFields(admin),
      action: 'coupon.create',
      subject,
      before: { coupon: null },
      after: { coupon },
    });
    return created;
  });

function toColumns({
  code,
  description,
  duration,
  durationMonths,
  plans,
  maxUses,
  perAccount,
  ...discount
}: NewCoupon) {
  const { discountType, discountValue } = discount;
  const isFixed = discountType === 'fixed';
  return {
    ...{ code, description, duration, durationMonths, maxUses, perAccount, currency },
    percent: isFixed ? null : discountValue,
    amount: isFixed ? Math.round(discountValue * 100) : null,
    tiers: [...new Set(plans)],
  };
}

type Change = { admin: Administrator; couponId: string; isDisabled: boolean };

/** Disables or re-enables a coupon. Customers keep the discounts that they already have. Throws `coupon_not_found`. */
export const changeCouponState = ({ db }: Needs<'db'>, { admin, couponId, isDisabled }: Change): Promise<CouponRow> =>
  db.transaction().execute(async (tx) => {
    await lockAdmin(tx, admin);
    const coupon = isUuid(couponId) ? await lockCoupon(tx, couponId) : undefined;
    if (!coupon) throw new AppError('coupon_not_found', { detail: 'Coupon not found.' });
    const wasDisabled = coupon.disabledAt !== null;
    if (wasDisabled === isDisabled) return coupon;
    const [before, after] = [{ disabled: wasDisabled }, { disabled: isDisabled }];
    const action = isDisabled ? 'coupon.disable' : 'coupon.enable';
    await insertAudit(tx, { ...toAuditFields(admin), action, subject: `coupon:${coupon.id}`, before, after });
    return (await setCouponDisabled(tx, coupon.id, isDisabled)) ?? coupon;
  });
