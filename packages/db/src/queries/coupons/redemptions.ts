import type { Tier } from '@uprez/contracts/policy/plans/plans';
import { type Selectable, sql } from 'kysely';
import type { DbOrTx, Tx } from '../../database.ts';
import type { CouponRedemptionsTable } from '../../tables/coupon-tables.ts';

export type RedemptionRow = Selectable<CouponRedemptionsTable>;

/**
 * Counts a use of a coupon, and locks the coupon until the transaction ends. Returns undefined if the coupon isn't
 * valid now for the plan, or isn't at Stripe yet.
 */
export const takeCoupon = (
  tx: Tx,
  { code, tier }: { code: string; tier: Tier },
): Promise<{ id: string; promotionCodeId: string | null; perAccount: number } | undefined> =>
  tx
    .updateTable('coupons')
    .set((eb) => ({ uses: eb('uses', '+', 1) }))
    .where('code', '=', code)
    .where('promotionCodeId', 'is not', null)
    .where('disabledAt', 'is', null)
    .where(sql<boolean>`(expires_at is null or expires_at > now())`)
    .where(sql<boolean>`(max_uses is null or uses < max_uses)`)
    .where(sql<boolean>`(tiers = '{}' or ${tier} = any(tiers))`)
    .returning(['id', 'promotionCodeId', 'perAccount'])
    .executeTakeFirst();

type NewRedemption = Pick<RedemptionRow, 'id' | 'couponId' | 'callId'> & { accountId: string };

/**
 * Inserts a use in the account's first free slot. The coupon must be locked. Returns undefined if all slots are taken.
 */
export async function insertRedemption(
  tx: Tx,
  { perAccount, ...row }: NewRedemption & { perAccount: number },
): Promise<RedemptionRow | undefined> {
  const { rows } = await sql<RedemptionRow>`
    insert into coupon_redemptions (id, coupon_id, account_id, call_id, slot)
    select ${row.id}, ${row.couponId}, ${row.accountId}, ${row.callId}, slot from generate_series(1, ${perAccount}) as slot
    where slot not in (select slot from coupon_redemptions where coupon_id = ${row.couponId}
      and account_id = ${row.accountId} and released_at is null)
    order by slot limit 1 returning *`.execute(tx);
  return rows[0];
}

/** Redeems the coupon uses of purchases that have a paid subscription. Skips uses that are redeemed or released. */
export async function redeemCoupons(tx: Tx, paid: readonly { id: string; callId: string | null }[]): Promise<void> {
  // Ignores call IDs that aren't UUIDs, because metadata may have been changed at Stripe.
  const known = paid.filter(({ callId }) => /^[0-9a-f-]{36}$/.test(callId ?? ''));
  await sql`
    update coupon_redemptions set subscription_id = paid.id, redeemed_at = now()
    from unnest(${known.map(({ id }) => id)}::text[], ${known.map(({ callId }) => callId)}::uuid[]) as paid (id, call_id)
    where coupon_redemptions.call_id = paid.call_id and redeemed_at is null and released_at is null`.execute(tx);
}

/**
 * Settles the coupon uses of a customer's plan changes by their invoices: a paid invoice redeems the use, and a void
 * invoice releases it. A use stays reserved while its invoice is open.
 */
export async function settleChangeCoupons(tx: Tx, customerId: string): Promise<void> {
  await sql`
    with settled as (
      update coupon_redemptions as used set
        redeemed_at = case when invoices.status = 'paid' then now() end,
        subscription_id = case when invoices.status = 'paid' then invoices.subscription_id end,
        released_at = case when invoices.status = 'void' then now() end
      from billing_calls join invoices on invoices.id = billing_calls.stripe_ids ->> 'invoiceId'
      where billing_calls.id = used.call_id and invoices.customer_id = ${customerId}
        and invoices.status in ('paid', 'void') and used.redeemed_at is null and used.released_at is null
      returning used.coupon_id, used.released_at
    )
    update coupons set uses = uses - 1 from settled
    where coupons.id = settled.coupon_id and settled.released_at is not null`.execute(tx);
}

export async function countOwnUses(db: DbOrTx, { couponId, accountId }: { couponId: string; accountId: string }) {
  const { rows } = await sql<{ redeemed: number; reserved: number }>`
    select (count(*) filter (where redeemed_at is not null))::integer as redeemed,
      (count(*) filter (where redeemed_at is null))::integer as reserved
    from coupon_redemptions where coupon_id = ${couponId} and account_id = ${accountId} and released_at is null`.execute(
    db,
  );
  return rows[0] ?? { redeemed: 0, reserved: 0 };
}

/** Whether a live subscription of an account was bought with a coupon code. */
export async function hasCodeOnSubscription(db: DbOrTx, accountId: string): Promise<boolean> {
  const { rows } = await sql`
    select from coupon_redemptions as used join subscriptions on subscriptions.id = used.subscription_id
    where used.account_id = ${accountId} and used.released_at is null
      and subscriptions.status in ('active', 'past_due') limit 1`.execute(db);
  return rows.length > 0;
}

/** Whether an account has a reserved coupon use that is neither redeemed nor released. */
export async function hasReservedUse(db: DbOrTx, accountId: string): Promise<boolean> {
  const reserved = db.selectFrom('couponRedemptions').select('id').where('accountId', '=', accountId);
  const open = reserved.where('redeemedAt', 'is', null).where('releasedAt', 'is', null);
  return (await open.executeTakeFirst()) !== undefined;
}

/** Whether a coupon code was redeemed for a subscription. */
export async function hasRedeemedCode(db: DbOrTx, subscriptionId: string): Promise<boolean> {
  const used = db.selectFrom('couponRedemptions').select('id').where('subscriptionId', '=', subscriptionId);
  return (await used.where('releasedAt', 'is', null).executeTakeFirst()) !== undefined;
}

export type ListedRedemption = RedemptionRow & { email: string | null };

/** Lists the redemptions of a coupon, newest first. `before`: ID of the last redemption on the previous page. */
export function listRedemptions(
  db: DbOrTx,
  { couponId, before, limit }: { couponId: string; before: string | undefined; limit: number },
): Promise<ListedRedemption[]> {
  let query = db
    .selectFrom('couponRedemptions')
    .leftJoin('users', 'users.id', 'couponRedemptions.accountId')
    .selectAll('couponRedemptions')
    .select('users.email')
    .where('couponId', '=', couponId);
  if (before) query = query.where('couponRedemptions.id', '<', before);
  return query.orderBy('couponRedemptions.id', 'desc').limit(limit).execute();
}

export async function countRedemptions(db: DbOrTx, couponId: string): Promise<number> {
  const counted = db.selectFrom('couponRedemptions').where('couponId', '=', couponId);
  return (await counted.select((eb) => eb.fn.countAll<number>().as('n')).executeTakeFirstOrThrow()).n;
}

/** Lists coupons with a number of uses that differs from their number of redemptions. */
export async function listCouponErrors(db: DbOrTx): Promise<{ subject: string; error: string }[]> {
  const { rows } = await sql<{ subject: string; error: string }>`
    select 'coupon ' || code as subject, format('%s uses, but %s redemptions', uses, counted.n) as error
    from coupons cross join lateral (
      select count(*) as n from coupon_redemptions where coupon_id = coupons.id and released_at is null
    ) counted
    where uses <> counted.n`.execute(db);
  return rows;
}
