import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../database.ts';
import { type DayValue, startOf } from '../../times.ts';
import { perMonth, selectMrr } from '../billing/admin/revenue.ts';

/**
 * Selects the MRR at the end of a past day. This is an estimate from the stored subscriptions with their latest
 * amounts.
 */
export function selectPastMrr(day: DayValue): RawBuilder<unknown> {
  const end = startOf(day, 1);
  return selectMrr(sql`subscriptions.created_at < ${end} and (subscriptions.ended_at is null or subscriptions.ended_at >= ${end})
    and (subscriptions.status in ('active', 'past_due', 'canceled')) and not subscriptions.is_paused`);
}

/** `pack`: payments for packs, which aren't part of MRR. */
const revenueTiers = sql`(values ('pro'), ('api_basic'), ('api_pro'), ('enterprise'), ('free'), ('pack')) as tiers (tier)`;

/**
 * ID of the account that `customer` belongs or belonged to, because an account may have had several customers. Without
 * an account, the customer's own ID.
 */
const payerId = sql`coalesce(customer.account_id::text, customer.former_account_id::text, customer.stripe_id)`;

/**
 * First price of a subscription (`present`) divided by its current price, for accounts that haven't been booked yet.
 * Such an account may have bought more since it subscribed. Selects no row for a subscription without an invoice, which
 * then counts with its current price.
 */
const boughtShare = sql`
  select ${perMonth(sql`prices.amount`, sql`prices.interval`)}
    / nullif(${perMonth(sql`one.amount`, sql`one.interval`)}, 0) as share
  from subscriptions one join invoices on invoices.subscription_id = one.id
    join invoice_lines line on line.invoice_id = invoices.id join prices on prices.id = line.price_id
  where known.payer_id is null and one.id = present.subscription_id and prices.tier is not null
  order by invoices.created_at, invoices.id, line.amount desc, line.id limit 1`;

/**
 * Selects the MRR of each account at the last booking (`before`), according to `present` (`after`), and as it was when
 * the account first paid (`first`). `first` is for accounts that haven't been booked yet.
 */
const selectChanges = (present: RawBuilder<unknown>) => sql`
  select coalesce(present.payer_id, known.payer_id) as payer_id, coalesce(present.tier, known.tier) as tier,
    coalesce(present.cents, 0) as after, coalesce(known.cents, 0) as before, known.payer_id is not null as is_known,
    coalesce(round(present.cents * bought.share, 6), present.cents, 0) as first
  from (
    select ${payerId} as payer_id, sum(cents) as cents, (array_agg(tier order by cents desc, tier))[1] as tier,
      (array_agg(live.id order by cents desc, tier))[1] as subscription_id
    from (${present}) as live join billing_customers as customer on customer.stripe_id = live.customer_id
    group by 1 having sum(cents) > 0
  ) as present full join mrr_accounts as known using (payer_id)
  left join lateral (${boughtShare}) as bought on true`;

const movementColumns = sql`
  count(*) filter (where after > 0) as accounts, coalesce(sum(after), 0) as mrr,
  coalesce(sum(first) filter (where not is_known), 0) as new_mrr,
  coalesce(sum(after - paid) filter (where paid > 0 and after > paid), 0) as expansion,
  coalesce(sum(paid - after) filter (where after > 0 and after < paid), 0) as contraction,
  coalesce(sum(before) filter (where after = 0), 0) as churn,
  coalesce(sum(after) filter (where before = 0 and is_known), 0) as reactivation,
  count(*) filter (where before > 0 and after = 0) as lost_accounts`;

/**
 * Selects the paying accounts, the MRR, and the MRR movements since the last booking, by plan. Reads from `changes`.
 */
const selectMovements = sql`
  select tiers.tier, movements.* from ${revenueTiers}
  cross join lateral (
    select ${movementColumns} from (select *, case when is_known then before else first end as paid from changes) as changes
    where changes.tier = tiers.tier
  ) as movements`;

/** Selects the movements that haven't been booked yet. The query defines `changes` itself. */
export const selectOpenMovements = (): RawBuilder<unknown> =>
  sql`with changes as (${selectChanges(selectMrr())}) ${selectMovements}`;

/** Adds the movements since the last booking to a day, and stores what each account pays. */
export async function recordMrr(tx: Tx, day: string, present: RawBuilder<unknown>): Promise<void> {
  await sql`
    with changes as materialized (${selectChanges(present)}), booked as (
      insert into revenue_days as day (day, tier, accounts, mrr, new_mrr, expansion, contraction, churn, reactivation,
        lost_accounts, is_booked)
      select ${day}::date, movements.*, true from (${selectMovements}) as movements
      on conflict (day, tier) do update set accounts = excluded.accounts, mrr = excluded.mrr,
        new_mrr = day.new_mrr + excluded.new_mrr, expansion = day.expansion + excluded.expansion,
        contraction = day.contraction + excluded.contraction, churn = day.churn + excluded.churn,
        reactivation = day.reactivation + excluded.reactivation,
        lost_accounts = day.lost_accounts + excluded.lost_accounts, is_booked = true
    )
    insert into mrr_accounts (payer_id, tier, cents)
    select payer_id, tier, after from changes where after <> before or not is_known
      or tier <> (select known.tier from mrr_accounts known where known.payer_id = changes.payer_id)
    on conflict (payer_id) do update set tier = excluded.tier, cents = excluded.cents`.execute(tx);
  // Deleted accounts that pay nothing are removed.
  await sql`
    delete from mrr_accounts where cents = 0 and not exists (select from users where id::text = payer_id)`.execute(tx);
}

/** Replaces the ID of an account that is about to be deleted with the ID of its customer. */
export async function keepDeletedAccountMrr(tx: Tx, accountId: string): Promise<void> {
  await sql`
    update mrr_accounts set payer_id = stripe_id from billing_customers
    where payer_id = ${accountId} and account_id = ${accountId}`.execute(tx);
}
