import { AppError } from '@uprez/contracts/errors/app-error';
import { type CouponSort, couponSorts } from '@uprez/contracts/policy/coupons';
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
import { readAll, readPage, type TablePage, type TableQuery } from '../../read-table.ts';

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

const tableOf = ({ db }: Needs<'db'>, filter: CouponFilter) => ({
  list: (page: Parameters<typeof listRows>[1]) => listRows(db, { ...filter, ...page }),
  count: () => countCoupons(db, filter),
});

/** A page of the coupons. Throws `invalid_parameter`. */
export const listCoupons = (
  ctx: Needs<'db'>,
  { sort = couponSorts[0], cursor, limit, ...filter }: CouponFilter & TableQuery<CouponSort>,
): Promise<TablePage<ListedCoupon>> => readPage({ sort, cursor, limit }, tableOf(ctx, filter));

/** The coupons of a filter, in parts. Throws `export_too_large`. */
export const exportCoupons = (
  ctx: Needs<'db'>,
  { sort = couponSorts[0], ...filter }: CouponFilter & { sort?: CouponSort | undefined },
): Promise<AsyncIterable<ListedCoupon[]>> => readAll(sort, tableOf(ctx, filter));

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
