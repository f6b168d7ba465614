import type { Db } from '@uprez/db/database';
import { bookMrr } from '@uprez/db/queries/analytics/mrr';
import { readRevenue, selectMrr } from '@uprez/db/queries/billing/admin/revenue';
import { openTestDatabase } from '@uprez/testing/open-test-database';
import { testSeed } from '@uprez/testing/random';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { shiftDay } from '../../src/analytics/days.ts';
import { insertSubscription } from './made-up-rows.ts';

const histories = 1_000;
const customers = ['cus_a', 'cus_b', 'cus_c'];

let database: Awaited<ReturnType<typeof openTestDatabase>>;
let db: Db;
beforeAll(async () => {
  database = await openTestDatabase();
  db = database.db;
  for (const id of customers) {
    // Without an account, what it paid before would not be known: it came back as a new one.
    const user = crypto.randomUUID();
    await sql`insert into users (id, email, username, password_hash) values (${user}, ${id}, ${id}, 'none')`.execute(
      db,
    );
    await sql`insert into billing_customers (stripe_id, account_id) values (${id}, ${user})`.execute(db);
    await insertSubscription(db, { id, customerId: id, at: '2026-01-01', tier: 'pro', amount: 0 });
  }
});
afterAll(() => database.close());

/** What a customer has: cents of a month or a year, or none. */
const state = fc.record({
  status: fc.constantFrom('active', 'active', 'past_due', 'canceled', 'trialing', 'unpaid'),
  isPaused: fc.constantFrom(false, false, true),
  tier: fc.constantFrom('pro', 'api_basic', 'api_pro', 'enterprise'),
  interval: fc.constantFrom('month', 'year'),
  amount: fc.constantFrom(700, 900, 1_900, 2_900, 9_900, 100_001),
});
type State = { status: string; isPaused: boolean; tier: string; interval: string; amount: number };
const history = fc.array(fc.array(fc.option(state), { minLength: 3, maxLength: 3 }), { minLength: 2, maxLength: 6 });

const monthly = ({ status, isPaused, interval, amount }: State) =>
  (status === 'active' || status === 'past_due') && !isPaused ? amount / (interval === 'year' ? 12 : 1) : 0;

type Movements = Record<'new' | 'expansion' | 'contraction' | 'churn' | 'reactivation', number>;
const none = (): Movements => ({ new: 0, expansion: 0, contraction: 0, churn: 0, reactivation: 0 });

/** The kind of a change and its amount, in plain words. */
function addMovement(to: Movements, before: number | undefined, after: number): void {
  if (after === (before ?? 0)) return;
  if (before === undefined) to.new += after;
  else if (before === 0) to.reactivation += after;
  else if (after === 0) to.churn += before;
  else if (after > before) to.expansion += after - before;
  else to.contraction += before - after;
}

async function readDay(day: string): Promise<{ mrr: number; identity: boolean } & Movements> {
  const { rows } = await sql<{ mrr: number; identity: boolean } & Movements>`
    select sum(mrr)::float8 as mrr, sum(new_mrr)::float8 as new, sum(expansion)::float8 as expansion,
      sum(contraction)::float8 as contraction, sum(churn)::float8 as churn, sum(reactivation)::float8 as reactivation,
      sum(mrr) = coalesce((select sum(mrr) from revenue_days where day = ${day}::date - 1), 0)
        + sum(new_mrr + expansion + reactivation - contraction - churn) as identity
    from revenue_days where day = ${day}::date`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('The day was not booked.');
  return row;
}

it('adds up to the MRR of each day in 1,000 random histories', async () => {
  await fc.assert(
    fc.asyncProperty(history, async (days) => {
      await sql`truncate revenue_days, mrr_accounts`.execute(db);
      await sql`update subscriptions set status = 'canceled'`.execute(db);
      const known = new Map<string, number>();
      for (const [at, changes] of days.entries()) {
        const expected = none();
        for (const [index, id] of customers.entries()) {
          const next = changes[index];
          if (!next) continue;
          await sql`
            update subscriptions set status = ${next.status}, is_paused = ${next.isPaused}, tier = ${next.tier},
              interval = ${next.interval}, amount = ${next.amount} where id = ${id}`.execute(db);
          const before = known.get(id);
          const after = monthly(next);
          addMovement(expected, before, after);
          if (before !== undefined || after > 0) known.set(id, after);
        }
        const day = shiftDay('2026-03-01', at);
        await db.transaction().execute((tx) => bookMrr(tx, day, selectMrr()));
        const { mrr, identity, ...movements } = await readDay(day);
        expect(identity).toBe(true);
        expect(mrr).toBeCloseTo((await readRevenue(db)).mrr, 6);
        for (const [name, value] of Object.entries(movements))
          expect(value).toBeCloseTo(expected[name as keyof Movements], 6);
      }
    }),
    { numRuns: histories, seed: testSeed },
  );
}, 240_000);
