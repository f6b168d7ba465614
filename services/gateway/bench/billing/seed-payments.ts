import type { Db } from '@uprez/db/database';
import { makeUser } from '@uprez/testing/make-user';
import { sql } from 'kysely';

const accounts = 200;

/**
 * Fills the tables of the administrators' lists with `rows` payments, invoices, subscriptions, and events of 200 accounts, the
 * units of each payment, and as many coupons and leads. Every tenth payment lost units.
 */
export async function seedPayments(db: Db, rows: number): Promise<void> {
  const owners: string[] = [];
  for (let number = 0; number < accounts; number += 1) owners.push((await makeUser(db)).accountId);
  await sql`
    insert into billing_customers (stripe_id, account_id, mirrored, wanted)
    select 'cus_bench_' || n, account, 1, 1 from unnest(${owners}::uuid[]) with ordinality as owner (account, n)`.execute(
    db,
  );
  const from = sql`from generate_series(1, ${rows}::int) n`;
  const customer = sql`'cus_bench_' || 1 + n % ${sql.lit(accounts)}`;
  const at = sql`now() - make_interval(mins => n * 10)`;
  await sql`
    insert into subscriptions (id, customer_id, status, price_id, tier, plan_version, interval, amount, currency, period_start,
      period_end, anchor, cancels_at_period_end, is_paused, created_at, ended_at)
    select 'sub_bench_' || n, ${customer}, 'canceled', 'price_bench', 'pro', 1, 'month', 700, 'usd', ${at},
      ${at} + interval '1 month', ${at}, false, false, ${at}, ${at} ${from}`.execute(db);
  await sql`
    insert into invoices (id, customer_id, subscription_id, number, status, currency, subtotal, discount, tax, total, due, paid,
      refunded, reason, attempts, created_at, finalized_at, paid_at)
    select 'in_bench_' || n, ${customer}, 'sub_bench_' || n, 'BENCH-' || n, 'paid', 'usd', 700, 0, 0, 700, 700, 700, 0,
      'subscription_create', 1, ${at}, ${at}, ${at} ${from}`.execute(db);
  await sql`
    insert into payments (id, customer_id, invoice_id, amount, received, refunded, currency, status, method, is_disputed, created_at)
    select 'pi_bench_' || n, ${customer}, 'in_bench_' || n, 700, 700, 0, 'usd', 'succeeded', 'card', false, ${at}
    ${from}`.execute(db);
  await sql`
    insert into stripe_events (id, type, object_type, object_id, customer_id, state, created_at)
    select 'evt_bench_' || n, 'invoice.paid', 'invoice', 'in_bench_' || n, ${customer}, 'done', ${at} ${from}`.execute(
    db,
  );
  await sql`
    with given as (
      insert into allowances (account_id, meter, source, tier, units, units_left, reason, ref, cycle, starts_at, expires_at,
        closed_at)
      select (${owners}::uuid[])[1 + n % ${sql.lit(accounts)}], 'ai', 'plan', 'pro', 100, 0, 'bench', 'in_bench_' || n, 0,
        ${at}, ${at} + interval '1 month', ${at} + interval '1 month' ${from}
      returning id, account_id, ref
    )
    insert into ledger (account_id, allowance_id, kind, meter, units, reason, ref)
    select account_id, id, 'reverse', 'ai', -10, 'bench', ref from given where ref like '%0'`.execute(db);
  await sql`
    insert into coupons (id, code, percent, currency, description, duration, max_uses, uses, expires_at, created_at)
    select gen_random_uuid(), 'BENCH' || n, 10, 'usd', 'bench', 'once', 10, n % 11, now() + make_interval(days => n % 60 - 30),
      ${at} ${from}`.execute(db);
  await sql`
    insert into leads (id, name, email, company, volume, message, created_at)
    select gen_random_uuid(), 'Ada ' || n, 'bench' || n || '@example.test', 'Engine Ltd.', '', 'bench', ${at} ${from}`.execute(
    db,
  );
  await sql`vacuum analyze`.execute(db);
}
