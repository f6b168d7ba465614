import { randomUUID } from 'node:crypto';
import type { Tier } from '@uprez/contracts/policy/plans/plans';
import type { Db } from '@uprez/db/database';
import { sql } from 'kysely';

type MadeUpUser = { at: string; tier?: Tier; verified?: boolean };

/** Inserts an account that signed up at a time, with a customer at Stripe. Returns its ID. */
export async function insertAccount(db: Db, { at, tier = 'free', verified = true }: MadeUpUser): Promise<string> {
  const id = randomUUID();
  await sql`
    insert into users (id, email, username, password_hash, tier, email_verified, created_at)
    values (${id}, ${`${id}@example.test`}, ${id}, 'none', ${tier}, ${verified}, ${at}::timestamptz)`.execute(db);
  await sql`insert into billing_customers (stripe_id, account_id) values (${`cus_${id}`}, ${id})`.execute(db);
  return id;
}

export type MadeUpJob = {
  accountId: string;
  endedAt: string;
  surface?: 'web' | 'api';
  engine?: string;
  waitMs?: number;
  runMs?: number;
  error?: string;
};

const statusOf = (error: string | undefined) =>
  error === undefined ? 'expired' : error === 'cancelled' ? 'cancelled' : 'failed';

/** Inserts jobs that ended, 8 x 4 pixels large, in one statement. */
export async function insertEndedJobs(db: Db, jobs: readonly MadeUpJob[]): Promise<void> {
  const rows = jobs.map(({ surface = 'web', engine = 'standard', waitMs = 1_000, runMs = 2_000, ...job }) => ({
    id: randomUUID(),
    ...job,
    surface,
    status: statusOf(job.error),
    plan: { engine, output: { width: 8, height: 4 } },
    waitS: waitMs / 1_000,
    runS: runMs / 1_000,
  }));
  await sql`
    insert into jobs (id, account_id, kind, surface, status, recipe, plan, filename, source_bytes, error_code,
      estimated_seconds, created_at, started_at, finished_at, used_seconds)
    select id, "accountId", 'image', surface, status, '{}', plan, 'photo.png', 9, error, 1,
      "endedAt" - make_interval(secs => "runS" + "waitS"), "endedAt" - make_interval(secs => "runS"), "endedAt", "runS"
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as jobs (id uuid, "accountId" uuid, surface text, status text,
      plan jsonb, error text, "endedAt" timestamptz, "runS" double precision, "waitS" double precision)`.execute(db);
}

export const insertEndedJob = (db: Db, job: MadeUpJob): Promise<void> => insertEndedJobs(db, [job]);

type MadeUpSubscription = {
  id: string;
  customerId: string;
  at: string;
  tier: Tier;
  amount: number;
  interval?: 'month' | 'year';
  status?: string;
  isPaused?: boolean;
};

/** Inserts a subscription that began at a time, or changes it, as the sync with Stripe does. */
export async function insertSubscription(db: Db, subscription: MadeUpSubscription): Promise<void> {
  const { id, customerId, at, tier, amount, interval = 'month', status = 'active', isPaused = false } = subscription;
  await sql`
    insert into subscriptions (id, customer_id, status, price_id, tier, plan_version, interval, amount, currency,
      period_start, period_end, anchor, cancels_at_period_end, is_paused, created_at)
    values (${id}, ${customerId}, ${status}, ${`price_${tier}`}, ${tier}, 1, ${interval}, ${amount}, 'usd',
      ${at}::timestamptz, ${at}::timestamptz, ${at}::timestamptz, false, ${isPaused}, ${at}::timestamptz)
    on conflict (id) do update set status = excluded.status, tier = excluded.tier, interval = excluded.interval,
      amount = excluded.amount, is_paused = excluded.is_paused`.execute(db);
}

type MadeUpPayment = {
  id: string;
  customerId: string;
  subscriptionId: string;
  priceId: string;
  at: string;
  amount: number;
  tax: number;
};

/** Inserts a paid invoice of a subscription with one line, and its payment. `amount`: with tax. */
export async function insertPayment(db: Db, payment: MadeUpPayment): Promise<void> {
  const { id, customerId, subscriptionId, priceId, at, amount, tax } = payment;
  await sql`
    with invoice as (
      insert into invoices (id, customer_id, subscription_id, status, currency, subtotal, discount, tax, total, due, paid,
        refunded, reason, attempts, created_at, paid_at, fetched_at)
      values (${`in_${id}`}, ${customerId}, ${subscriptionId}, 'paid', 'usd', ${amount - tax}, 0, ${tax}, ${amount},
        ${amount}, ${amount}, 0, 'subscription_cycle', 1, ${at}::timestamptz, ${at}::timestamptz, now())
      returning id, created_at
    ), line as (
      insert into invoice_lines (id, invoice_id, price_id, amount, discount, tax, period_start, period_end, is_proration)
      select ${`il_${id}`}, id, ${priceId}, ${amount - tax}, 0, ${tax}, created_at, created_at, false from invoice
    )
    insert into payments (id, customer_id, invoice_id, amount, received, refunded, currency, status, is_disputed, created_at,
      fetched_at)
    select ${id}, ${customerId}, id, ${amount}, ${amount}, 0, 'usd', 'succeeded', false, created_at, now() from invoice`.execute(
    db,
  );
}

type MadeUpRefund = { paymentId: string; at: string; amount: number };

/** Inserts a refund of a payment. */
export async function insertRefund(db: Db, { paymentId, at, amount }: MadeUpRefund): Promise<void> {
  await sql`
    insert into refunds (id, payment_id, amount, currency, status, created_at, fetched_at)
    values (${`re_${randomUUID()}`}, ${paymentId}, ${amount}, 'usd', 'succeeded', ${at}::timestamptz, now())`.execute(
    db,
  );
  await sql`update payments set refunded = refunded + ${amount} where id = ${paymentId}`.execute(db);
}
