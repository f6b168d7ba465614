import { AppError } from '@uprez/contracts/errors/app-error';
import { insertAudit } from '@uprez/db/queries/audit/audit-log';
import { type CouponRow, lockCoupon, setCouponDisabled } from '@uprez/db/queries/coupons/coupons';
import { isUuid } from '../../actor.ts';
import type { Needs } from '../../context.ts';
import { type Administrator, auditedBy, lockAdmin } from '../administrator.ts';

type Change = { admin: Administrator; couponId: string; isDisabled: boolean };

/** Disables or re-enables a coupon. Discounts that were already given stay. Throws `coupon_not_found`. */
export const disableCoupon = ({ db }: Needs<'db'>, { admin, couponId, isDisabled }: Change): Promise<CouponRow> =>
  db.transaction().execute(async (tx) => {
    await lockAdmin(tx, admin);
    const coupon = isUuid(couponId) ? await lockCoupon(tx, couponId) : undefined;
    if (!coupon) throw new AppError('coupon_not_found', { detail: 'Coupon not found.' });
    const wasDisabled = coupon.disabledAt !== null;
    if (wasDisabled === isDisabled) return coupon;
    const [before, after] = [{ disabled: wasDisabled }, { disabled: isDisabled }];
    const action = isDisabled ? 'coupon.disable' : 'coupon.enable';
    await insertAudit(tx, { ...auditedBy(admin), action, subject: `coupon:${coupon.id}`, before, after });
    return (await setCouponDisabled(tx, coupon.id, isDisabled)) ?? coupon;
  });
