import { randomUUID } from 'node:crypto';
import type { Tier } from '@uprez/contracts/policy/plans';
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

type MadeUpJob = {
  accountId: string;
  endedAt: string;
  surface?: 'web' | 'api';
  engine?: string;
  waitMs?: number;
  runMs?: number;
  error?: string;
};

/** Inserts a job that ended, 8 x 4 pixels large. Returns its ID. */
export async function insertEndedJob(db: Db, job: MadeUpJob): Promise<string> {
  const { accountId, endedAt, surface = 'web', engine = 'standard', waitMs = 1_000, runMs = 2_000, error = null } = job;
  const id = randomUUID();
  const status = error === null ? 'expired' : error === 'cancelled' ? 'cancelled' : 'failed';
  const plan = JSON.stringify({ engine, output: { width: 8, height: 4 } });
  await sql`
    insert into jobs (id, account_id, kind, surface, status, recipe, plan, filename, source_bytes, error_code,
      estimated_seconds, created_at, started_at, finished_at, used_seconds)
    select ${id}, ${accountId}, 'image', ${surface}, ${status}, '{}', ${plan}::jsonb, 'photo.png', 9, ${error}::text, 1,
      started - make_interval(secs => ${waitMs / 1_000}), started, ended, ${runMs / 1_000}
    from (select ${endedAt}::timestamptz as ended,
      ${endedAt}::timestamptz - make_interval(secs => ${runMs / 1_000}) as started) as times`.execute(db);
  return id;
}

type MadeUpSubscription = {
  id: string;
  customerId: string;
  at: string;
  tier: Tier;
  amount: number;
  interval?: 'month' | 'year';
};

/** Inserts an active subscription, as the mirror of Stripe does. */
export async function insertSubscription(db: Db, subscription: MadeUpSubscription): Promise<void> {
  const { id, customerId, at, tier, amount, interval = 'month' } = subscription;
  await sql`
    insert into subscriptions (id, customer_id, status, price_id, tier, plan_version, interval, amount, currency,
      period_start, period_end, anchor, cancels_at_period_end, is_paused, created_at)
    values (${id}, ${customerId}, 'active', ${`price_${tier}`}, ${tier}, 1, ${interval}, ${amount}, 'usd',
      ${at}::timestamptz, ${at}::timestamptz, ${at}::timestamptz, false, false, ${at}::timestamptz)`.execute(db);
}

type MadeUpPayment = {
  id: string;
  customerId: string;
  subscriptionId: string;
  at: string;
  amount: number;
  tax?: number;
};

/** Inserts a paid invoice of a subscription, and its payment. `amount`: with tax. */
export async function insertPayment(db: Db, payment: MadeUpPayment): Promise<void> {
  const { id, customerId, subscriptionId, at, amount, tax = 0 } = payment;
  await sql`
    insert into invoices (id, customer_id, subscription_id, status, currency, subtotal, discount, tax, total, due, paid,
      refunded, reason, attempts, created_at, paid_at)
    values (${`in_${id}`}, ${customerId}, ${subscriptionId}, 'paid', 'usd', ${amount - tax}, 0, ${tax}, ${amount}, ${amount},
      ${amount}, 0, 'subscription_cycle', 1, ${at}::timestamptz, ${at}::timestamptz)`.execute(db);
  await sql`
    insert into payments (id, customer_id, invoice_id, amount, received, refunded, currency, status, is_disputed, created_at)
    values (${id}, ${customerId}, ${`in_${id}`}, ${amount}, ${amount}, 0, 'usd', 'succeeded', false,
      ${at}::timestamptz)`.execute(db);
}

type MadeUpRefund = { paymentId: string; at: string; amount: number };

/** Inserts a refund of a payment. */
export async function insertRefund(db: Db, { paymentId, at, amount }: MadeUpRefund): Promise<void> {
  await sql`
    insert into refunds (id, payment_id, amount, currency, status, created_at)
    values (${`re_${randomUUID()}`}, ${paymentId}, ${amount}, 'usd', 'succeeded', ${at}::timestamptz)`.execute(db);
  await sql`update payments set refunded = refunded + ${amount} where id = ${paymentId}`.execute(db);
}
