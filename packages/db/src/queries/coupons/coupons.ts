import type { CouponState } from '@uprez/contracts/policy/coupons';
import { type Insertable, type Selectable, sql } from 'kysely';
import { containing } from '../../containing.ts';
import type { DbOrTx, Tx } from '../../database.ts';
import type { CouponsTable } from '../../tables/coupon-tables.ts';
import { now } from '../../times.ts';

export type CouponRow = Selectable<CouponsTable> & { state: CouponState };
export type CouponFilter = { search?: string | undefined; status?: CouponState | undefined };
type Page = { before?: string | undefined; limit?: number | undefined };

const state = sql<CouponState>`case
  when disabled_at is not null then 'disabled'
  when expires_at <= now() then 'expired'
  when uses >= max_uses then 'used_up'
  else 'active' end`;

/** Undefined if the code is taken. */
export async function insertCoupon(tx: Tx, row: Insertable<CouponsTable>): Promise<CouponRow | undefined> {
  return await tx
    .insertInto('coupons')
    .values(row)
    .onConflict((conflict) => conflict.column('code').doNothing())
    .returningAll()
    .returning(state.as('state'))
    .executeTakeFirst();
}

const matching = (db: DbOrTx, { search, status: wanted }: CouponFilter) => {
  let query = db.selectFrom('coupons');
  if (search) {
    const pattern = containing(search);
    // Codes are stored in capitals.
    query = query.where(sql<boolean>`(code like upper(${pattern}) or lower(description) like lower(${pattern}))`);
  }
  return wanted ? query.where(state, '=', wanted) : query;
};

/** Coupons, newest first. `before`: ID of the last one of the previous page. */
export function listCoupons(db: DbOrTx, { before, limit, ...filter }: CouponFilter & Page): Promise<CouponRow[]> {
  let query = matching(db, filter).selectAll().select(state.as('state'));
  if (before) query = query.where('id', '<', before);
  if (limit) query = query.limit(limit);
  return query.orderBy('id', 'desc').execute();
}

export async function countCoupons(db: DbOrTx, filter: CouponFilter): Promise<number> {
  const counted = matching(db, filter).select((eb) => eb.fn.countAll<number>().as('n'));
  return (await counted.executeTakeFirstOrThrow()).n;
}

const one = (db: DbOrTx) => db.selectFrom('coupons').selectAll().select(state.as('state'));

export const findCoupon = (db: DbOrTx, id: string): Promise<CouponRow | undefined> =>
  one(db).where('id', '=', id).executeTakeFirst();

export const lockCoupon = (tx: Tx, id: string): Promise<CouponRow | undefined> =>
  one(tx).where('id', '=', id).forUpdate().executeTakeFirst();

/** `code`: in upper case. */
export const findCouponByCode = (db: DbOrTx, code: string): Promise<CouponRow | undefined> =>
  one(db).where('code', '=', code).executeTakeFirst();

export async function setCouponDisabled(tx: Tx, id: string, isDisabled: boolean): Promise<CouponRow | undefined> {
  return await tx
    .updateTable('coupons')
    .set({ disabledAt: isDisabled ? now : null, notBefore: now })
    .where('id', '=', id)
    .returningAll()
    .returning(state.as('state'))
    .executeTakeFirst();
}
