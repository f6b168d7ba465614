import type { Db, Tx } from '@uprez/db/database';
import { recordMrr } from '@uprez/db/queries/analytics/mrr';
import { readRevenue, selectMrr } from '@uprez/db/queries/billing/admin/revenue';
import { shiftDay } from '@uprez/db/times';
import { openTestDatabase } from '@uprez/testing/open-test-database';
import { testSeed } from '@uprez/testing/random';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { insertSubscription } from './made-up-rows.ts';

// 1,000 histories in 20 databases of 50: booking takes about as long for 150 customers as for 3.
const [sites, historiesOfSite, customersOfHistory] = [20, 50, 3];
const customers = Array.from({ length: historiesOfSite * customersOfHistory }, (_, index) => `cus_${index}`);

let database: Awaited<ReturnType<typeof openTestDatabase>>;
let db: Db;
beforeAll(async () => {
  database = await openTestDatabase();
  db = database.db;
  for (const id of customers) {
    // Without an account, earlier payments aren't known, and a customer who returns counts as new.
    const user = crypto.randomUUID();
    await sql`insert into users (id, email, username, password_hash) values (${user}, ${id}, ${id}, 'none')`.execute(
      db,
    );
    await sql`insert into billing_customers (stripe_id, account_id) values (${id}, ${user})`.execute(db);
    await insertSubscription(db, { id, customerId: id, at: '2026-01-01', tier: 'pro', amount: 0 });
  }
  await sql`update subscriptions set status = 'canceled'`.execute(db);
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
/** What changes for the customers of a history, day by day. */
const history = fc.array(fc.array(fc.option(state), { minLength: customersOfHistory, maxLength: customersOfHistory }), {
  minLength: 2,
  maxLength: 6,
});
const site = fc.array(history, { minLength: historiesOfSite, maxLength: historiesOfSite });
type Histories = (State | null)[][][];

const monthly = ({ status, isPaused, interval, amount }: State) =>
  (status === 'active' || status === 'past_due') && !isPaused ? amount / (interval === 'year' ? 12 : 1) : 0;

const kinds = ['mrr', 'new', 'expansion', 'contraction', 'churn', 'reactivation'] as const;
/** Cents by kind and plan: `churn pro`. */
type Amounts = Map<string, number>;

/** The kind and the amount of a change, in plain words. */
function describeMovement(before: number | undefined, after: number): [(typeof kinds)[number], number] {
  if (before === undefined) return ['new', after];
  if (before === 0) return ['reactivation', after];
  if (after === 0) return ['churn', before];
  return after > before ? ['expansion', after - before] : ['contraction', before - after];
}

/** What is expected of a day: MRR and its movements. Updates what is known of the customers. */
function expectDay(changes: Map<string, State>, known: Map<string, { cents: number; tier: string }>): Amounts {
  const amounts: Amounts = new Map();
  const add = (kind: string, tier: string, cents: number) =>
    amounts.set(`${kind} ${tier}`, (amounts.get(`${kind} ${tier}`) ?? 0) + cents);
  for (const [id, next] of changes) {
    const [before, after] = [known.get(id), monthly(next)];
    const tier = after > 0 ? next.tier : (before?.tier ?? next.tier);
    if (after !== (before?.cents ?? 0)) {
      const [kind, cents] = describeMovement(before?.cents, after);
      add(kind, tier, cents);
    }
    if (before || after > 0) known.set(id, { cents: after, tier });
  }
  for (const { cents, tier } of known.values()) add('mrr', tier, cents);
  return amounts;
}

type Row = Record<(typeof kinds)[number], number> & { day: string; tier: string };

async function readRows(tx: Tx): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select day::text, tier, mrr::float8, new_mrr::float8 as new, expansion::float8, contraction::float8, churn::float8,
      reactivation::float8
    from revenue_days`.execute(tx);
  return rows;
}

/** The days on which MRR isn't exactly the one of the day before plus its movements. */
async function findBrokenDays(tx: Tx): Promise<string[]> {
  const { rows } = await sql<{ day: string }>`
    select day::text from (
      select day, sum(mrr) as mrr, coalesce(lag(sum(mrr)) over (order by day), 0) as before,
        sum(new_mrr + expansion + reactivation - contraction - churn) as movements
      from revenue_days group by day
    ) as days where mrr <> before + movements`.execute(tx);
  return rows.map(({ day }) => day);
}

/** Sets what customers have, in one statement. */
const setStates = (tx: Tx, changes: Map<string, State>) =>
  sql`
    update subscriptions set status = next.status, is_paused = next."isPaused", tier = next.tier, interval = next.interval,
      amount = next.amount
    from jsonb_to_recordset(${JSON.stringify([...changes].map(([id, next]) => ({ id, ...next })))}::jsonb)
      as next (id text, status text, "isPaused" boolean, tier text, interval text, amount int)
    where subscriptions.id = next.id`.execute(tx);

/** Books each day of the histories of a site, and compares what was booked with the same in plain words. */
async function checkSite(tx: Tx, histories: Histories): Promise<void> {
  const known = new Map<string, { cents: number; tier: string }>();
  const expected = new Map<string, Amounts>();
  const days = Math.max(...histories.map(({ length }) => length));
  for (let at = 0; at < days; at += 1) {
    const changes = new Map<string, State>();
    for (const [index, states] of histories.entries())
      for (const [place, next] of (states[at] ?? []).entries())
        if (next) changes.set(customers[index * customersOfHistory + place] ?? '', next);
    const day = shiftDay('2026-03-01', at);
    expected.set(day, expectDay(changes, known));
    await setStates(tx, changes);
    await recordMrr(tx, day, selectMrr());
  }
  expect(await findBrokenDays(tx)).toEqual([]);
  const rows = await readRows(tx);
  expect(new Set(rows.map(({ day }) => day))).toEqual(new Set(expected.keys()));
  for (const row of rows)
    for (const kind of kinds) {
      const amount = expected.get(row.day)?.get(`${kind} ${row.tier}`) ?? 0;
      expect(row[kind], `${row.day} ${row.tier} ${kind}`).toBeCloseTo(amount, 6);
    }
  const last = [...known.values()].reduce((sum, { cents }) => sum + cents, 0);
  expect((await readRevenue(tx)).mrr).toBeCloseTo(last, 6);
}

it('adds up to the MRR of each day in 1,000 random histories', async () => {
  await fc.assert(
    fc.asyncProperty(site, async (histories) => {
      const tx = await db.startTransaction().execute();
      try {
        await checkSite(tx, histories);
      } finally {
        await tx.rollback().execute();
      }
    }),
    { numRuns: sites, seed: testSeed },
  );
});
