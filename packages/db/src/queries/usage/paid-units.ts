import type { Meter } from '@uprez/contracts/policy/plans/meters';
import type { Tier } from '@uprez/contracts/policy/plans/plans';
import { sql } from 'kysely';
import type { DbOrTx } from '../../database.ts';
import type { LedgerError } from './ledger.ts';

/** Units of an allowance that an invoice pays for. */
export type PaidUnits = {
  id: string;
  tier: Tier;
  meter: Meter;
  units: number;
  cycle: number;
  /** Status of the invoice. Null if the invoice doesn't exist. */
  status: string | null;
  /** Billing interval of the invoice's subscription. Null if the subscription's price has changed since. */
  interval: 'month' | 'year' | null;
  planVersion: number | null;
  /** Whether the allowance is open and belongs to its account's current, paid plan. */
  isCurrent: boolean;
};

export async function listPaidUnits(db: DbOrTx): Promise<PaidUnits[]> {
  const { rows } = await sql<PaidUnits>`
    select allowance.id, allowance.tier, allowance.meter, allowance.units, allowance.cycle, invoice.status,
      subscription.interval, subscription.plan_version as "planVersion",
      (allowance.closed_at is null and users.plan_ref = allowance.ref and users.plan_share = 100) as "isCurrent"
    from allowances allowance
    join users on users.id = allowance.account_id
    left join invoices invoice on invoice.id = allowance.ref
    left join subscriptions subscription
      on subscription.id = invoice.subscription_id and subscription.tier = allowance.tier and exists (
        select from invoice_lines line
        where line.invoice_id = invoice.id and line.price_id = subscription.price_id and line.amount > 0)
    where allowance.source = 'plan' and allowance.ref is not null`.execute(db);
  return rows;
}

/**
 * A paid invoice line that covers the current time. Its account has no other live subscription and no administrator
 * override.
 */
export type PaidLine = { invoiceId: string; tier: Tier; planVersion: number; meters: Meter[] };

/**
 * Lists paid lines with the meters on which their units were granted. Excludes accounts that are about to be synced or
 * settled.
 */
export async function listPaidLines(db: DbOrTx): Promise<PaidLine[]> {
  const { rows } = await sql<PaidLine>`
    select invoice.id as "invoiceId", subscription.tier, subscription.plan_version as "planVersion",
      array(select distinct meter from allowances where account_id = users.id and ref = invoice.id and tier = subscription.tier)
        as meters
    from subscriptions subscription
    join billing_customers customer on customer.stripe_id = subscription.customer_id and customer.wanted = customer.mirrored
    join users on users.id = customer.account_id and users.override_tier is null
      and (users.plan_ends_at is null or users.plan_ends_at > now())
    join invoices invoice on invoice.subscription_id = subscription.id and invoice.status = 'paid'
      and (invoice.paid = 0 or invoice.refunded < invoice.paid)
    join invoice_lines line on line.invoice_id = invoice.id and line.price_id = subscription.price_id and line.amount > 0
    where subscription.status in ('active', 'past_due') and line.period_start <= now() and line.period_end > now()
      and not exists (select from subscriptions other where other.customer_id = subscription.customer_id
        and other.id <> subscription.id and other.status in ('active', 'past_due'))
      and invoice.id = (
        select newer.id from invoices newer join invoice_lines on invoice_lines.invoice_id = newer.id
        where newer.subscription_id = subscription.id and newer.status = 'paid'
          and invoice_lines.price_id = subscription.price_id and invoice_lines.amount > 0
          and (newer.paid = 0 or newer.refunded < newer.paid)
          and invoice_lines.period_start <= now() and invoice_lines.period_end > now()
        order by newer.id = users.plan_ref desc limit 1)`.execute(db);
  return rows;
}

const returnedAmounts = sql`
  select returned.id, coalesce(invoice.id, payment.id) as ref, returned.amount,
    coalesce(invoice.paid, payment.received) as paid
  from payments payment
  left join invoices invoice on invoice.id = payment.invoice_id and invoice.subscription_id is not null
  join (
    select id, payment_id, amount from refunds where status = 'succeeded'
    union all select id, payment_id, amount from disputes where outcome = 'lost'
  ) returned on returned.payment_id = payment.id`;

/**
 * Lists refunds and lost disputes that have no ledger entry for an open allowance. Also lists entries without a refund,
 * and entries that take back more than the refunds are worth.
 */
export async function listReverseErrors(db: DbOrTx): Promise<LedgerError[]> {
  const { rows } = await sql<LedgerError>`
    with returned as (${returnedAmounts}),
    reversed as (select * from ledger where kind = 'reverse')
    select 'allowance ' || allowance.id as subject, format('%s took no units back', returned.id) as error
    from allowances allowance join returned on returned.ref = allowance.ref
    where allowance.closed_at is null and returned.paid > 0
      and not exists (select from reversed where reversed.allowance_id = allowance.id and reversed.ref = returned.id)
    union all
    select 'ledger ' || reversed.id, format('takes units back for %s, which is no refund or lost dispute', reversed.ref)
    from reversed
    where not exists (select from refunds where refunds.id = reversed.ref)
      and not exists (select from disputes where disputes.id = reversed.ref and outcome = 'lost')
    union all
    select 'allowance ' || allowance.id, format('%s of %s units taken back, the refunds are worth %s', -taken.units,
      allowance.units, worth.units)
    from allowances allowance
    join (select allowance_id, sum(units)::integer as units from reversed group by allowance_id) taken
      on taken.allowance_id = allowance.id
    join (select ref, least(1, sum(amount)::numeric / min(paid)) as share from returned where paid > 0 group by ref) share
      on share.ref = allowance.ref
    cross join lateral (select ceil(allowance.units * share.share) as units) worth
    where -taken.units > worth.units`.execute(db);
  return rows;
}
