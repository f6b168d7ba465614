import { recordMrr } from '@uprez/db/queries/analytics/mrr';
import { selectMrr } from '@uprez/db/queries/billing/admin/revenue';
import { fileFixture } from '@uprez/testing/fixtures';
import { openTestDatabase } from '@uprez/testing/open-test-database';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { insertAccount, insertPayment, insertSubscription } from './made-up-rows.ts';

const database = fileFixture(openTestDatabase);
const prices = { pro: 700, api_basic: 1_900 };

/** The movements of a day, in cents. */
const readDay = async (day: string) => {
  const { rows } = await sql<Record<string, number>>`
    select sum(mrr)::float8 as mrr, sum(new_mrr)::float8 as new, sum(expansion)::float8 as expansion,
      sum(contraction)::float8 as contraction from revenue_days where day = ${day}::date`.execute(database.db);
  return rows[0];
};
const book = (day: string) => database.db.transaction().execute((tx) => recordMrr(tx, day, selectMrr()));

it('counts an upgrade before the first booking as expansion, and a downgrade as contraction', async () => {
  const { db } = database;
  for (const [tier, amount] of Object.entries(prices))
    await sql`insert into prices (id, tier, interval, plan_version, amount, currency, lookup_key, active)
      values (${`price_${tier}`}, ${tier}, 'month', 1, ${amount}, 'usd', ${tier}, true)`.execute(db);
  const bookings = [
    {
      day: '2026-03-01',
      bought: 'pro',
      now: 'api_basic',
      expected: { mrr: 1_900, new: 700, expansion: 1_200, contraction: 0 },
    },
    {
      day: '2026-03-02',
      bought: 'api_basic',
      now: 'pro',
      expected: { mrr: 2_600, new: 1_900, expansion: 0, contraction: 1_200 },
    },
    { day: '2026-03-03', bought: 'pro', now: 'pro', expected: { mrr: 3_300, new: 700, expansion: 0, contraction: 0 } },
  ] as const;
  for (const { day, bought, now, expected } of bookings) {
    const at = `${day}T10:00Z`;
    const customerId = `cus_${await insertAccount(db, { at })}`;
    const [id, later] = [`sub_${day}`, `${day}T10:01Z`];
    await insertSubscription(db, { id, customerId, at, tier: now, amount: prices[now] });
    const payment = { customerId, subscriptionId: id, tax: 0 };
    await insertPayment(db, { ...payment, id: `a_${day}`, priceId: `price_${bought}`, at, amount: prices[bought] });
    if (now !== bought)
      await insertPayment(db, { ...payment, id: `b_${day}`, priceId: `price_${now}`, at: later, amount: prices[now] });
    await book(day);
    expect(await readDay(day)).toEqual(expected);
  }
});
