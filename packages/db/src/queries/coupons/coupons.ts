import type { CouponSort, CouponState } from '@uprez/contracts/policy/billing/coupons';
import { type Insertable, type Selectable, sql } from 'kysely';
import { containsPattern } from '../../conditions.ts';
import type { DbOrTx, Tx } from '../../database.ts';
import { countRows, makeOrders, type Page, readKeysetPage } from '../../keyset.ts';
import type { CouponsTable } from '../../tables/coupon-tables.ts';
import { afterSeconds, now } from '../../times.ts';

export type CouponRow = Selectable<CouponsTable> & { state: CouponState };
export type CouponFilter = { search?: string | undefined; status?: CouponState | undefined };

const state = sql<CouponState>`case
  when disabled_at is not null then 'disabled'
  when expires_at <= now() then 'expired'
  when uses >= max_uses then 'used_up'
  else 'active' end`;

/** Inserts a coupon. Returns undefined if the code is taken. */
export async function insertCoupon(tx: Tx, row: Insertable<CouponsTable>): Promise<CouponRow | undefined> {
  return await tx
    .insertInto('coupons')
    .values(row)
    .onConflict((conflict) => conflict.column('code').doNothing())
    .returningAll()
    .returning(state.as('state'))
    .executeTakeFirst();
}

const selectMatchingCoupons = (db: DbOrTx, { search, status: wanted }: CouponFilter) => {
  let query = db.selectFrom('coupons');
  if (search) {
    const pattern = containsPattern(search);
    // Codes are stored in uppercase.
    query = query.where(sql<boolean>`(code like upper(${pattern}) or lower(description) like lower(${pattern}))`);
  }
  return wanted ? query.where(state, '=', wanted) : query;
};

const orders = makeOrders({ created: { column: 'createdAt', type: 'time' } });

export function listCoupons(
  db: DbOrTx,
  { sort, after, limit, ...filter }: CouponFilter & Page & { sort: CouponSort },
): Promise<(CouponRow & { sortValue: number })[]> {
  const query = selectMatchingCoupons(db, filter).selectAll().select(state.as('state'));
  return readKeysetPage(query, { order: orders[sort], id: 'id', after, limit });
}

export const countCoupons = (db: DbOrTx, filter: CouponFilter): Promise<number> =>
  countRows(selectMatchingCoupons(db, filter));

const selectCoupons = (db: DbOrTx) => db.selectFrom('coupons').selectAll().select(state.as('state'));

export const findCoupon = (db: DbOrTx, id: string): Promise<CouponRow | undefined> =>
  selectCoupons(db).where('id', '=', id).executeTakeFirst();

export const lockCoupon = (tx: Tx, id: string): Promise<CouponRow | undefined> =>
  selectCoupons(tx).where('id', '=', id).forUpdate().executeTakeFirst();

/** Finds a coupon by its code, which must be in uppercase. */
export const findCouponByCode = (db: DbOrTx, code: string): Promise<CouponRow | undefined> =>
  selectCoupons(db).where('code', '=', code).executeTakeFirst();

export async function setCouponDisabled(tx: Tx, id: string, isDisabled: boolean): Promise<CouponRow | undefined> {
  return await tx
    .updateTable('coupons')
    .set({ disabledAt: isDisabled ? now : null, notBefore: now })
    .where('id', '=', id)
    .returningAll()
    .returning(state.as('state'))
    .executeTakeFirst();
}

/** A coupon that differs from its copy at Stripe. `isWantedAtStripe`: whether its code must be active there. */
export type CouponToSync = Selectable<CouponsTable> & { isWanted: boolean };

/** A disabled code stays active at Stripe until the purchases that have reserved it end. */
const isWantedAtStripe = sql<boolean>`(disabled_at is null or exists (select from coupon_redemptions
  where coupon_id = coupons.id and redeemed_at is null and released_at is null))`;

export const listCouponsToSync = (db: DbOrTx): Promise<CouponToSync[]> =>
  db
    .selectFrom('coupons')
    .selectAll()
    .select(isWantedAtStripe.as('isWanted'))
    .where('notBefore', '<=', now)
    .where(sql<boolean>`(promotion_code_id is null or is_active_at_stripe <> ${isWantedAtStripe})`)
    .orderBy('id')
    .limit(100)
    .execute();

export const completeCouponSync = (
  db: DbOrTx,
  id: string,
  copy: { promotionCodeId: string; isActiveAtStripe: boolean },
) =>
  db
    .updateTable('coupons')
    .set({ ...copy, failures: 0, error: null })
    .where('id', '=', id)
    .execute();

export const failCouponSync = (db: DbOrTx, id: string, { delayS, error }: { delayS: number; error: string }) =>
  db
    .updateTable('coupons')
    .set((eb) => ({ failures: eb('failures', '+', 1), notBefore: afterSeconds(delayS), error }))
    .where('id', '=', id)
    .execute();
