import { type Insertable, sql } from 'kysely';
import type { Db, DbOrTx, Tx } from '../../database.ts';
import type { StripeChecksTable } from '../../tables/payment-tables.ts';
import { afterSeconds } from '../../times.ts';

export const insertStripeCheck = (db: DbOrTx, row: Insertable<StripeChecksTable>) =>
  db.insertInto('stripeChecks').values(row).execute();

/**
 * Returns the time from which events may be missing: `overlapS` seconds before the latest pull, or before the first
 * customer was created if there was no pull. Goes back at most 29 days, because Stripe keeps events for 30 days.
 * Returns undefined if there are no customers.
 */
export async function findPullStart(db: DbOrTx, overlapS: number): Promise<Date | undefined> {
  const { rows } = await sql<{ since: Date | null }>`
    select greatest(now() - interval '29 days', coalesce(
      (select started_at from stripe_checks where kind = 'events' order by id desc limit 1),
      (select min(created_at) from billing_customers)) - make_interval(secs => ${overlapS})) as since
    where exists (select from billing_customers)`.execute(db);
  return rows[0]?.since ?? undefined;
}

export const deleteOldStripeChecks = (db: DbOrTx, seconds: number) =>
  db.deleteFrom('stripeChecks').where('finishedAt', '<', afterSeconds(-seconds)).execute();

type DriftCounts = { events: number; subscriptions: number; doubledAccounts: number };

/** Counts the differences that the latest checks found, and the accounts with more than one live subscription. */
export async function countDrift(db: Db): Promise<DriftCounts> {
  const latest = (kind: StripeChecksTable['kind']) =>
    sql`coalesce((select found from stripe_checks where kind = ${kind} order by id desc limit 1), 0)`;
  const { rows } = await sql<DriftCounts>`
    select ${latest('events')} as events, ${latest('subscriptions')} as subscriptions,
      (select count(*)::integer from (
        select from subscriptions where status in ('active', 'past_due') group by customer_id having count(*) > 1
      ) doubled) as "doubledAccounts"`.execute(db);
  return rows[0] ?? { events: 0, subscriptions: 0, doubledAccounts: 0 };
}

/**
 * `account`: the new Stripe account. `accountFact`: name of the `instance` row that stores it. `formerFacts`: names of
 * the rows about the former account.
 */
type StripeAccountChange = { accountFact: string; account: string; formerFacts: readonly string[] };

/**
 * Moves the database to another Stripe account, if it has no customers and no open billing calls. Stored prices become
 * inactive, and coupons are marked to be copied again.
 */
export async function forgetStripeObjects(
  tx: Tx,
  { accountFact, account, formerFacts }: StripeAccountChange,
): Promise<void> {
  // No purchase may start in the meantime, because it would insert a customer of the former account.
  await sql`lock table billing_customers, billing_calls in share mode`.execute(tx);
  const { rows } = await sql`
    select where exists (select from billing_customers) or exists (select from billing_calls where state = 'open')`.execute(
    tx,
  );
  if (rows.length > 0) return;
  await tx.updateTable('instance').set({ value: account }).where('name', '=', accountFact).execute();
  await tx.deleteFrom('instance').where('name', 'in', formerFacts).execute();
  await tx.updateTable('prices').set({ active: false }).where('active', '=', true).execute();
  await tx
    .updateTable('coupons')
    .set({ promotionCodeId: null, isActiveAtStripe: false, failures: 0, error: null })
    .where('promotionCodeId', 'is not', null)
    .execute();
}
