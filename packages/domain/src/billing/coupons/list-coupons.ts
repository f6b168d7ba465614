import { AppError } from '@uprez/contracts/errors/app-error';
import { type CouponSort, couponSorts } from '@uprez/contracts/policy/billing/coupons';
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
import { type IdPageQuery, parseUuid, readAllIds, readIdPage } from '../../read-id-pages.ts';
import { readAll, readPage, type TablePage, type TableQuery } from '../../read-table.ts';

export type ListedCoupon = CouponRow;
export type ListedRedemption = RedemptionRow;

const tableOf = ({ db }: Needs<'db'>, filter: CouponFilter) => ({
  list: (page: Parameters<typeof listRows>[1]) => listRows(db, { ...filter, ...page }),
  count: () => countCoupons(db, filter),
});

/** Returns one page of coupons. Throws `invalid_parameter`. */
export const listCoupons = (
  ctx: Needs<'db'>,
  { sort = couponSorts[0], cursor, limit, ...filter }: CouponFilter & TableQuery<CouponSort>,
): Promise<TablePage<ListedCoupon>> => readPage({ list: 'coupons', sort, cursor, limit }, tableOf(ctx, filter));

/** Returns all coupons that match a filter, in chunks. Throws `export_too_large`. */
export const exportCoupons = (
  ctx: Needs<'db'>,
  { sort = couponSorts[0], ...filter }: CouponFilter & { sort?: CouponSort | undefined },
): Promise<AsyncIterable<ListedCoupon[]>> => readAll(sort, tableOf(ctx, filter));

async function redemptionTableOf({ db }: Needs<'db'>, couponId: string) {
  if (!isUuid(couponId) || !(await findCoupon(db, couponId)))
    throw new AppError('coupon_not_found', { detail: 'Coupon not found.' });
  return {
    list: (page: { before: string | undefined; limit: number }) => listUses(db, { couponId, ...page }),
    count: () => countRedemptions(db, couponId),
  };
}

type RedemptionsQuery = IdPageQuery & { couponId: string };

/** Returns one page of a coupon's redemptions, newest first. Throws `coupon_not_found` or `invalid_parameter`. */
export const listRedemptions = async (
  ctx: Needs<'db'>,
  { couponId, ...page }: RedemptionsQuery,
): Promise<TablePage<ListedRedemption>> =>
  readIdPage({ list: `redemptions:${couponId}`, parseId: parseUuid, ...page }, await redemptionTableOf(ctx, couponId));

/** Returns all redemptions of a coupon, in chunks. Throws `coupon_not_found` or `export_too_large`. */
export const exportRedemptions = async (
  ctx: Needs<'db'>,
  couponId: string,
): Promise<AsyncIterable<ListedRedemption[]>> => readAllIds(await redemptionTableOf(ctx, couponId));
