import type { Tier } from '@uprez/contracts/policy/plans/plans';
import { sql } from 'kysely';
import type { DbOrTx, Tx } from '../../database.ts';

/** An unpaid renewal. Amounts are in cents. */
export type UnpaidRenewal = {
  subscriptionId: string;
  customerId: string;
  accountId: string;
  invoiceId: string;
  tier: Tier;
  due: number;
  currency: string;
  pastDueAt: Date;
  /** When Stripe next tries to collect the payment automatically. */
  nextAttemptAt: Date | null;
  /** Whether the bank requires 3-D Secure. */
  needsAction: boolean;
};
export type DueStep = UnpaidRenewal & {
  /** The latest dunning day that was reached. */
  day: number;
};

const unpaidRenewalQuery = sql`
  select subscription.id as "subscriptionId", subscription.customer_id as "customerId",
    customer.account_id as "accountId", invoice.id as "invoiceId", subscription.tier, invoice.due, invoice.currency,
    past_due_at as "pastDueAt", invoice.next_attempt_at as "nextAttemptAt",
    exists (select from payments where payments.invoice_id = invoice.id and payments.status = 'requires_action')
      as "needsAction",
    subscription.status, coalesce(ladder_step, -1) as step
  from subscriptions subscription
  join billing_customers customer on customer.stripe_id = subscription.customer_id
  join invoices invoice on invoice.id = subscription.past_due_invoice_id
  where past_due_at is not null and customer.account_id is not null`;

/**
 * Lists renewals with a dunning day that was reached but not processed, oldest first. Returns only the latest day
 * reached, so earlier unprocessed days are skipped. A canceled subscription counts as having reached the last day.
 */
export async function listDueSteps(db: DbOrTx, days: readonly number[]): Promise<DueStep[]> {
  const { rows } = await sql<DueStep>`
    select due.* from (
      select renewal.*, (select max(day) from unnest(${days}::integer[]) day
        where renewal.status = 'canceled' or "pastDueAt" + make_interval(days => day) <= now()) as day
      from (${unpaidRenewalQuery}) renewal
    ) due
    where day > step
      and not exists (select from billing_calls call where call.account_id = due."accountId" and call.state = 'open'
        and call.slot = 'unpaid:' || due."invoiceId")
    order by "pastDueAt" limit 100`.execute(db);
  return rows;
}

export async function findUnpaidRenewal(db: DbOrTx, subscriptionId: string): Promise<UnpaidRenewal | undefined> {
  const { rows } = await sql<UnpaidRenewal>`
    select * from (${unpaidRenewalQuery}) renewal where "subscriptionId" = ${subscriptionId}`.execute(db);
  return rows[0];
}

/**
 * Records that a dunning day was processed. Returns false if the day was already processed, or if another invoice is
 * unpaid now.
 */
export async function saveDunningStep(
  tx: Tx,
  { subscriptionId, invoiceId, day }: Pick<DueStep, 'subscriptionId' | 'invoiceId' | 'day'>,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('subscriptions')
    .set({ ladderStep: day })
    .where('id', '=', subscriptionId)
    .where('pastDueInvoiceId', '=', invoiceId)
    .where((eb) => eb.or([eb('ladderStep', 'is', null), eb('ladderStep', '<', day)]))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
