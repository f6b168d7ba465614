import { readRevenue } from '@uprez/db/queries/billing/admin/revenue';
import { savePayments } from '@uprez/db/queries/billing/payments';
import { readAnalytics } from '@uprez/domain/analytics/read-analytics';
import { rollUpAnalytics } from '@uprez/domain/analytics/roll-up-analytics';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { insertAccount, insertPayment, insertSubscription } from './made-up-rows.ts';
import { type Calendar, openCalendar } from './open-calendar.ts';

let calendar: Calendar;
let customerId: string;
beforeAll(async () => {
  calendar = await openCalendar();
  await calendar.setNow('2026-10-05T12:00:00Z');
  customerId = `cus_${await insertAccount(calendar.db, { at: '2026-10-01T00:00:00Z' })}`;
  const subscription = { id: 'sub_1', customerId, at: '2026-10-01T00:00:00Z', tier: 'pro', amount: 1_000 } as const;
  await insertSubscription(calendar.db, subscription);
});
afterAll(() => calendar.close());

const pay = (id: string, at: string, { amount = 2_000, tax = 0 } = {}) =>
  insertPayment(calendar.db, { id, customerId, subscriptionId: 'sub_1', priceId: 'none', at, amount, tax });
const payment = (id: string, amount: number, refunded = 0) => ({
  ...{ id, customerId, invoiceId: null, amount, received: amount, refunded, currency: 'usd', status: 'succeeded' },
  isDisputed: false,
  createdAt: new Date('2026-10-02T09:00:00Z'),
});
/** Stores what Stripe says at a time, as the sync does. */
const sync = (outcome: 'open' | 'lost', status: 'pending' | 'failed') =>
  calendar.db.transaction().execute((tx) =>
    savePayments(tx, {
      payments: [payment('pi_disputed', 1_100), payment('pi_refunded', 2_000, status === 'pending' ? 500 : 0)],
      refunds: [
        {
          ...{ id: 're_1', paymentId: 'pi_refunded', amount: 500, currency: 'usd', status },
          createdAt: new Date('2026-10-03T09:00:00Z'),
        },
      ],
      disputes: [
        {
          ...{ id: 'dp_1', paymentId: 'pi_disputed', amount: 1_100, currency: 'usd', outcome, reason: 'general' },
          createdAt: new Date('2026-10-04T09:00:00Z'),
        },
      ],
    }),
  );
const rollUpAt = async (now: string) => {
  await calendar.setNow(now);
  await rollUpAnalytics(calendar);
};
const readMoney = async () => {
  const { rows } = await sql<{ day: string; gross: number; refunds: number }>`
    select day::text, sum(gross)::float8 as gross, sum(refunds)::float8 as refunds from revenue_days
    group by day having sum(gross) <> 0 or sum(refunds) <> 0 order by day`.execute(calendar.db);
  return rows;
};
/** Dollars that were received less those that went back, from a plain query. */
const readPlainSum = async () => {
  const { rows } = await sql<{ dollars: number }>`
    select sum((received - payments.refunded - lost) * (1 - tax::numeric / total))::float8 / 100 as dollars
    from payments join invoices on invoices.id = invoice_id`.execute(calendar.db);
  return rows[0]?.dollars;
};

it('adds a dispute that was lost later, a failed refund, and a late invoice to days that are final', async () => {
  await pay('pi_disputed', '2026-10-02T09:00:00Z', { amount: 1_100, tax: 100 });
  await pay('pi_refunded', '2026-10-02T09:00:00Z');
  await sync('open', 'pending');
  await rollUpAt('2026-10-20T12:00:00Z');
  expect(await readMoney()).toEqual([
    { day: '2026-10-02', gross: 3_000, refunds: 0 },
    { day: '2026-10-03', gross: 0, refunds: 500 },
  ]);
  await calendar.setNow('2026-11-05T12:00:00Z');
  await sync('lost', 'failed');
  await pay('pi_late', '2026-10-10T09:00:00Z');
  const expected = [
    { day: '2026-10-02', gross: 3_000, refunds: 0 },
    { day: '2026-10-10', gross: 2_000, refunds: 0 },
    { day: '2026-11-05', gross: 0, refunds: 1_000 },
  ];
  for (const now of ['2026-11-05T12:10:00Z', '2026-11-05T12:30:00Z', '2026-11-20T12:00:00Z']) {
    await rollUpAt(now);
    expect(await readMoney()).toEqual(expected);
    const { revenue, overview } = await readAnalytics(calendar, { role: 'owner', period: '90d' });
    expect(revenue?.received.value).toBe(40);
    expect([await readPlainSum(), overview.totalRevenue, overview.monthlyRevenue]).toEqual([40, 40, -10]);
  }
  // After another sync, it stays lost on the same day.
  await sync('lost', 'failed');
  await rollUpAt('2026-11-21T12:00:00Z');
  expect(await readMoney()).toEqual(expected);
  expect((await readRevenue(calendar.db)).month).toBe(-1_000);
});
