import { type RawBuilder, sql } from 'kysely';
import type { DbOrTx } from '../../../database.ts';

/** Cents. `live`: subscriptions that are active or past due. */
export type Revenue = { total: number; month: number; mrr: number; live: number };

const month = sql`date_trunc('month', now() at time zone 'utc') at time zone 'utc'`;

/** The part of a payment's amounts that isn't tax. Refunds return tax in proportion. */
const net = (cents: RawBuilder<unknown>) => sql`${cents} * coalesce((
  select greatest(0, least(1, 1 - invoices.tax::numeric / invoices.total)) from invoices
  where invoices.id = payments.invoice_id and invoices.total > 0 and invoices.tax <> 0), 1)`;
const sumNet = (cents: RawBuilder<unknown>) => sql`coalesce(round(sum(${net(cents)})), 0)::bigint`;

/** Cents per month of a subscription's amount. */
const monthly = (cents: RawBuilder<unknown>) => sql`${cents}::numeric / case interval when 'year' then 12 else 1 end`;

/** Discounts of live subscriptions by coupons that never end, cents per month. */
const discounts = sql`
  select sum(${monthly(sql`least(live.amount, coalesce(coupons.amount, round(live.amount * coupons.percent / 100.0)))`)})
  from coupon_redemptions redemption
  join coupons on coupons.id = redemption.coupon_id
  join subscriptions live on live.id = redemption.subscription_id
  where redeemed_at is not null and released_at is null and coupons.duration = 'forever'
    and live.status in ('active', 'past_due') and not live.is_paused`;

/**
 * What was received without tax, less refunds and lost disputes: ever, and in this month (UTC). MRR is what live subscriptions that
 * aren't paused cost per month, less discounts that never end.
 */
export async function readRevenue(db: DbOrTx): Promise<Revenue> {
  const { rows } = await sql<Revenue>`
    select
      (select ${sumNet(sql`(received - refunded - lost)`)} from payments where received > 0) as total,
      (select ${sumNet(sql`received`)} from payments where received > 0 and id in (
        select payments.id from invoices join payments on payments.invoice_id = invoices.id where paid_at >= ${month}
        union all
        select payments.id from payments left join invoices on invoices.id = invoice_id
        where payments.created_at >= ${month} and paid_at is null))
      - (select ${sumNet(sql`refunds.amount`)} from refunds join payments on payments.id = payment_id
        where refunds.status not in ('failed', 'canceled') and refunds.created_at >= ${month})
      - (select ${sumNet(sql`disputes.amount`)} from disputes join payments on payments.id = payment_id
        where outcome = 'lost' and disputes.created_at >= ${month}) as month,
      (coalesce(sum(${monthly(sql`amount`)}) filter (where not is_paused), 0) - coalesce((${discounts}), 0))::float8 as mrr,
      count(*)::integer as live
    from subscriptions where status in ('active', 'past_due')`.execute(db);
  return rows[0] ?? { total: 0, month: 0, mrr: 0, live: 0 };
}
