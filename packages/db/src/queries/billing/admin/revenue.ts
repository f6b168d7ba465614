import { type RawBuilder, sql } from 'kysely';
import type { DbOrTx } from '../../../database.ts';

/** Amounts are in cents. `live`: number of subscriptions that are active or past due. */
export type Revenue = { total: number; month: number; mrr: number; live: number };

const utcMonthStart = sql`date_trunc('month', now() at time zone 'utc') at time zone 'utc'`;

/** Returns the part of a payment's or refund's amount that isn't tax. Refunds return tax in proportion. */
export const netOf = (cents: RawBuilder<unknown>): RawBuilder<unknown> => sql`${cents} * coalesce((
  select greatest(0, least(1, 1 - invoices.tax::numeric / invoices.total)) from invoices
  where invoices.id = payments.invoice_id and invoices.total > 0 and invoices.tax <> 0), 1)`;
const sumNet = (cents: RawBuilder<unknown>) => sql`coalesce(round(sum(${netOf(cents)})), 0)::bigint`;

/**
 * Selects the IDs of payments received from `from` until `to` (exclusive). A payment is received when its invoice is
 * paid, or when it is created if it has no paid invoice.
 */
export const selectPaymentsBetween = (from: RawBuilder<unknown>, to: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select payments.id from invoices join payments on payments.invoice_id = invoices.id
  where paid_at >= ${from} and paid_at < ${to}
  union all
  select payments.id from payments left join invoices on invoices.id = invoice_id
  where payments.created_at >= ${from} and payments.created_at < ${to} and paid_at is null`;

/** Converts the amount of a subscription or price to an amount per month, in cents. */
export const perMonth = (cents: RawBuilder<unknown>, interval: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`${cents}::numeric / case ${interval} when 'year' then 12 else 1 end`;
const toMonthlyAmount = (cents: RawBuilder<unknown>) => perMonth(cents, sql`subscriptions.interval`);

const isBilled = sql`subscriptions.status in ('active', 'past_due') and not subscriptions.is_paused`;

/**
 * Selects the MRR of each subscription in cents, before tax: its amount per month minus coupons that never end.
 * `counted`: condition for the subscriptions to include. By default, trials and paused subscriptions aren't included.
 * Tiers set by administrators have no effect.
 */
export const selectMrr = (counted: RawBuilder<unknown> = isBilled): RawBuilder<unknown> => sql`
  select subscriptions.id, subscriptions.customer_id, subscriptions.tier, greatest(0, ${toMonthlyAmount(sql`subscriptions.amount`)} - coalesce((
    select sum(${toMonthlyAmount(sql`least(subscriptions.amount, coalesce(coupons.amount,
      round(subscriptions.amount * coupons.percent / 100.0)))`)})
    from coupon_redemptions redemption join coupons on coupons.id = redemption.coupon_id
    where redemption.subscription_id = subscriptions.id and redeemed_at is not null and released_at is null
      and coupons.duration = 'forever'), 0)) as cents
  from subscriptions where ${counted}`;

/**
 * Reads the revenue without tax, minus refunds and lost disputes, in total and in this month (UTC). MRR is the monthly
 * cost of live subscriptions that aren't paused, minus discounts that never end.
 */
export async function readRevenue(db: DbOrTx): Promise<Revenue> {
  const { rows } = await sql<Revenue>`
    select
      (select ${sumNet(sql`(received - refunded - lost)`)} from payments where received > 0) as total,
      (select ${sumNet(sql`received`)} from payments where received > 0
        and id in (${selectPaymentsBetween(utcMonthStart, sql`'infinity'::timestamptz`)}))
      - (select ${sumNet(sql`refunds.amount`)} from refunds join payments on payments.id = payment_id
        where refunds.status not in ('failed', 'canceled') and refunds.created_at >= ${utcMonthStart})
      - (select ${sumNet(sql`disputes.amount`)} from disputes join payments on payments.id = payment_id
        where outcome = 'lost' and lost_at >= ${utcMonthStart}) as month,
      (select coalesce(sum(cents), 0)::float8 from (${selectMrr()}) as present) as mrr,
      count(*)::integer as live
    from subscriptions where status in ('active', 'past_due')`.execute(db);
  return rows[0] ?? { total: 0, month: 0, mrr: 0, live: 0 };
}
