import { AppError } from '@uprez/contracts/errors/app-error';
import { couponSorts } from '@uprez/contracts/policy/billing/coupons';
import { type CouponRow, countCoupons, findCoupon, listCoupons as listRows } from '@uprez/db/queries/coupons/coupons';
import {
  countRedemptions,
  listRedemptions as listUses,
  type ListedRedemption as RedemptionRow,
} from '@uprez/db/queries/coupons/redemptions';
import { isUuid } from '../../actor.ts';
import type { Needs } from '../../context.ts';
import { type IdPageQuery, parseUuid, readAllIds, readIdPage } from '../../read-id-pages.ts';
import { defineTable, type TablePage } from '../../read-table.ts';

export type ListedCoupon = CouponRow;
export type ListedRedemption = RedemptionRow;

const coupons = defineTable({
  name: 'coupons',
  sorts: couponSorts,
  list: listRows,
  count: countCoupons,
  present: (rows): ListedCoupon[] => rows,
});

/** Returns one page of coupons. Throws `invalid_parameter`. */
export const listCoupons = coupons.page;

/** Returns all coupons that match a filter, in chunks. Throws `export_too_large`. */
export const exportCoupons = coupons.export;

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
