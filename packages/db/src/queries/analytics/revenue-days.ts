import { type RawBuilder, sql } from 'kysely';
import type { DbOrTx, Tx } from '../../database.ts';
import { type DayValue, dayOf, isOn, startOf } from '../../days.ts';
import { netOf, receivedBetween } from '../billing/admin/revenue.ts';

/** The plan that a payment was for, or `pack`. */
const tier = sql`coalesce(
  (select prices.tier from invoice_lines join prices on prices.id = invoice_lines.price_id
    where invoice_lines.invoice_id = payments.invoice_id and prices.tier is not null
    order by invoice_lines.amount desc, invoice_lines.id limit 1),
  (select subscriptions.tier from invoices join subscriptions on subscriptions.id = invoices.subscription_id
    where invoices.id = payments.invoice_id),
  'pack')`;

/** What was received and given back on a day by plan, in cents without tax. Lost disputes count on the day they were lost. */
export const selectMoneyRows = (day: DayValue): RawBuilder<unknown> => sql`
  select tier, sum(gross) as gross, sum(refunds) as refunds from (
    select ${tier} as tier, ${netOf(sql`payments.received`)} as gross, 0::numeric as refunds from payments
    where received > 0 and payments.id in (${receivedBetween(startOf(day), startOf(day, 1))})
    union all
    select ${tier}, 0, ${netOf(sql`refunds.amount`)} from refunds join payments on payments.id = payment_id
    where refunds.status not in ('failed', 'canceled') and ${isOn(sql`refunds.created_at`, day)}
    union all
    select ${tier}, 0, ${netOf(sql`disputes.amount`)} from disputes join payments on payments.id = payment_id
    where outcome = 'lost' and ${isOn(sql`lost_at`, day)}
  ) as money group by tier`;

/** Replaces what was received and given back on a day. */
export async function replaceMoneyDay(tx: Tx, day: string): Promise<void> {
  await sql`update revenue_days set gross = 0, refunds = 0 where day = ${day}::date`.execute(tx);
  await sql`
    insert into revenue_days (day, tier, gross, refunds)
    select ${day}::date, tier, gross, refunds from (${selectMoneyRows(day)}) as money
    on conflict (day, tier) do update set gross = excluded.gross, refunds = excluded.refunds`.execute(tx);
}

/** Days that are final and whose payments, refunds, or lost disputes were stored since they were read last. */
export async function listLateMoneyDays(db: DbOrTx): Promise<{ days: string[]; readAt: Date }> {
  // The rows of a transaction are as old as its start, and it may have lasted.
  const since = sql`coalesce(state.money_read_at - interval '10 minutes', '-infinity')`;
  const { rows } = await sql<{ days: string[]; readAt: Date }>`
    select now() as "readAt", array(
      select distinct day::text from (
        select ${dayOf(sql`created_at`)} as day from payments where fetched_at >= ${since}
        union all select ${dayOf(sql`paid_at`)} from invoices where fetched_at >= ${since}
        union all select ${dayOf(sql`created_at`)} from refunds where fetched_at >= ${since}
        union all select ${dayOf(sql`lost_at`)} from disputes where fetched_at >= ${since}
      ) as stored where day < state.frozen_until order by 1) as days
    from analytics_state state`.execute(db);
  return rows[0] ?? { days: [], readAt: new Date() };
}
