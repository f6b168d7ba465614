import { AppError } from '@uprez/contracts/errors/app-error';
import { limits } from '@uprez/contracts/policy/limits';
import {
  type CouponFilter,
  type CouponRow,
  countCoupons,
  findCoupon,
  listCoupons as listRows,
} from '@uprez/db/queries/coupons/coupons';
import {
  countRedemptions,
  listRedemptions as listUses,
  type ListedRedemption as RedemptionRow,
} from '@uprez/db/queries/coupons/redemptions';
import { isUuid } from '../../actor.ts';
import type { Needs } from '../../context.ts';

export type ListedCoupon = CouponRow;
export type ListedRedemption = RedemptionRow;

type Page = { limit?: number | undefined; cursor?: string | undefined };

/** The ID before which a page begins. Throws `invalid_parameter` for a cursor that can't be. */
function parseCursor(cursor: string | undefined): string | undefined {
  if (cursor && !isUuid(cursor)) throw new AppError('invalid_parameter', { param: 'cursor' });
  return cursor;
}

const toPage = <Row extends { id: string }>(rows: readonly Row[], limit: number) => {
  const page = rows.slice(0, limit);
  return { rows: page, nextCursor: rows.length > limit ? page.at(-1)?.id : undefined };
};

/** One page of the coupons, newest first. */
export async function listCoupons(
  { db }: Needs<'db'>,
  { limit = limits.pageRows, cursor, ...filter }: CouponFilter & Page,
) {
  const before = parseCursor(cursor);
  const [rows, total] = await Promise.all([
    listRows(db, { ...filter, before, limit: limit + 1 }),
    countCoupons(db, filter),
  ]);
  return { ...toPage(rows, limit), total };
}

/** All coupons of a filter, newest first. */
export const listAllCoupons = ({ db }: Needs<'db'>, filter: CouponFilter): Promise<CouponRow[]> => listRows(db, filter);

/** One page of the uses of a coupon, newest first. Throws `coupon_not_found`. */
export async function listRedemptions(
  { db }: Needs<'db'>,
  { couponId, limit = limits.pageRows, cursor }: { couponId: string } & Page,
) {
  const before = parseCursor(cursor);
  if (!isUuid(couponId) || !(await findCoupon(db, couponId)))
    throw new AppError('coupon_not_found', { detail: 'Coupon not found.' });
  const [rows, total] = await Promise.all([
    listUses(db, { couponId, before, limit: limit + 1 }),
    countRedemptions(db, couponId),
  ]);
  return { ...toPage(rows, limit), total };
}
