import { sql } from 'kysely';
import type { DbOrTx } from '../../../database.ts';

/** Cents. `live`: subscriptions that are active or past due. */
export type Revenue = { total: number; month: number; mrr: number; live: number };

const month = sql`date_trunc('month', now() at time zone 'utc') at time zone 'utc'`;

/** Cents off each bill of a subscription by coupons that never end. */
const lasting = sql`coalesce((
  select sum(least(subscriptions.amount, coalesce(coupons.amount, round(subscriptions.amount * coupons.percent / 100.0))))
  from coupon_redemptions redemption join coupons on coupons.id = redemption.coupon_id
  where redemption.subscription_id = subscriptions.id and redeemed_at is not null and released_at is null
    and coupons.duration = 'forever'), 0)`;

/**
 * What was received, less refunds and lost disputes: ever, and in this month (UTC). MRR is what live subscriptions that
 * aren't paused cost per month, less discounts that never end.
 */
export async function readRevenue(db: DbOrTx): Promise<Revenue> {
  const { rows } = await sql<Revenue>`
    select
      (select coalesce(sum(received - refunded - lost), 0)::bigint from payments where received > 0) as total,
      (select coalesce(sum(received), 0)::bigint from payments left join invoices on invoices.id = invoice_id
        where received > 0 and coalesce(invoices.paid_at, payments.created_at) >= ${month})
      - (select coalesce(sum(amount), 0)::bigint from refunds
        where status not in ('failed', 'canceled') and created_at >= ${month})
      - (select coalesce(sum(amount), 0)::bigint from disputes
        where outcome = 'lost' and created_at >= ${month}) as month,
      coalesce(sum((amount - ${lasting})::numeric / case interval when 'year' then 12 else 1 end) filter (where not is_paused), 0)::float8
        as mrr,
      count(*)::integer as live
    from subscriptions where status in ('active', 'past_due')`.execute(db);
  return rows[0] ?? { total: 0, month: 0, mrr: 0, live: 0 };
}
