import { randomUUID } from 'node:crypto';
import { makePaidPlan } from '@uprez/testing/billing/make-paid-plan';
import { fileFixture } from '@uprez/testing/fixtures';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { signUpAdmin } from '../../support/accounts/admin-calls.ts';
import { shareTestGateway } from '../../support/share-test-gateway.ts';
import { readTable } from './read-table.ts';

const gateway = shareTestGateway();
const admin = fileFixture(() => signUpAdmin(gateway));

const from = new Date('2026-11-01T10:00:00.000Z');
// A payment shows its subscription until the period it paid for ends.
const until = new Date(Date.now() + 30 * 86_400_000);
const get = (path: string) => admin.fetch(`${gateway.url}/api/admin/payments/${path}`);
const table = async (query: string) => (await readTable(gateway.url, admin, `transactions?${query}`)).ids;

type Values = Record<string, unknown>;
/** Signs up an account with a payment of an invoice. */
async function make(values: Values = {}) {
  const { user, email } = await gateway.signUp();
  const { db } = gateway.ctx;
  const { invoiceId, subscriptionId } = await makePaidPlan(db, { accountId: user.id, tier: 'pro', from, until });
  const number = `U${randomUUID().slice(0, 7).toUpperCase()}-0001`;
  await db.updateTable('invoices').set({ number }).where('id', '=', invoiceId).execute();
  const customerId = subscriptionId.replace('sub_', 'cus_');
  const id = await addPayment(customerId, { invoiceId, ...values });
  return { id, email, accountId: user.id, customerId, invoiceId, number };
}
async function addPayment(customerId: string, values: Values = {}) {
  const id = `pi_${randomUUID().replaceAll('-', '')}`;
  const amounts = { amount: 700, received: 700, refunded: 0, currency: 'usd' };
  const payment = { id, customerId, ...amounts, status: 'succeeded', method: 'card', isDisputed: false };
  await gateway.ctx.db
    .insertInto('payments')
    .values({ ...payment, createdAt: from, ...values })
    .execute();
  return id;
}

describe('GET /api/admin/payments/transactions', () => {
  it('returns a payment with its account, invoice, and what can be refunded', async () => {
    const made = await make({ refunded: 200, lost: 100, isDisputed: true });
    const { data } = await admin.client.adminListTransactions({ query: { search: made.id } });
    expect(data).toEqual([
      {
        id: made.id,
        customerId: made.customerId,
        account: { id: made.accountId, email: made.email, name: 'Ada', override: null },
        description: null,
        invoice: { id: made.invoiceId, number: made.number },
        amount: 700,
        tax: 0,
        refunded: 200,
        refundable: 400,
        currency: 'usd',
        badge: 'succeeded',
        method: 'card',
        card: null,
        subscription: { id: expect.any(String), renewsAt: expect.any(String) },
        failure: null,
        isDisputed: true,
        units: [],
        createdAt: from.toISOString(),
      },
    ]);
  });

  it('finds by email address, customer, invoice, invoice number, and refund', async () => {
    const made = await make();
    const refundId = `re_${randomUUID().replaceAll('-', '')}`;
    const refund = { paymentId: made.id, amount: 1, currency: 'usd', status: 'succeeded', createdAt: from } as const;
    await gateway.ctx.db
      .insertInto('refunds')
      .values({ id: refundId, ...refund })
      .execute();
    for (const search of [made.email, made.customerId, made.invoiceId, made.number.toLowerCase(), refundId])
      expect(await table(`search=${encodeURIComponent(search)}`), search).toEqual([made.id]);
    expect(await table('search=re_missing')).toEqual([]);
  });

  it('filters by badge', async () => {
    const { customerId, id: paid } = await make();
    const add = (status: string, values: Values = {}) => addPayment(customerId, { status, received: 0, ...values });
    const badges = {
      succeeded: [paid],
      canceled: [await add('canceled')],
      pending: [await add('processing')],
      failed: [
        await add('requires_payment_method', { failureCode: 'insufficient_funds', failureMessage: 'No funds.' }),
      ],
      incomplete: [await add('requires_action'), await add('requires_payment_method')],
    };
    for (const [badge, ids] of Object.entries(badges))
      expect((await table(`search=${customerId}&status=${badge}`)).toSorted(), badge).toEqual(ids.toSorted());
    const { data } = await admin.client.adminListTransactions({ query: { search: customerId, status: 'failed' } });
    expect(data).toMatchObject([{ badge: 'failed', failure: 'No funds.', refundable: 0 }]);
  });

  it('leaves out a checkout that was only opened, also after it expired', async () => {
    const { customerId, id } = await make();
    const opened = { received: 0, method: null };
    for (const status of ['requires_payment_method', 'canceled']) await addPayment(customerId, { status, ...opened });
    const confirmed = await addPayment(customerId, { status: 'requires_action', ...opened });
    expect((await table(`search=${customerId}`)).toSorted()).toEqual([id, confirmed].toSorted());
  });

  it('filters by the days on which payments were made: when the invoice was paid, if there is one', async () => {
    const { customerId, id, invoiceId } = await make();
    const other = await addPayment(customerId, { createdAt: new Date('2026-11-03T23:59:59Z') });
    const { db } = gateway.ctx;
    await db
      .updateTable('invoices')
      .set({ paidAt: new Date('2026-11-05T00:00:00Z') })
      .where('id', '=', invoiceId)
      .execute();
    for (const [days, found] of [
      ['from=2026-11-05&to=2026-11-05', [id]],
      ['to=2026-11-03', [other]],
      ['from=2026-11-03', [other, id]],
      ['to=2026-11-02', []],
    ] as const)
      expect(await table(`search=${customerId}&${days}`), days).toEqual(found);
    const wrong = admin.client.adminListTransactions({ query: { from: '2026-11-05', to: '2026-11-04' } });
    await expect(wrong).rejects.toMatchObject({ status: 422, param: 'to' });
  });

  it.each(['-created', 'created', '-amount', 'amount'])(
    'loses and repeats no row between pages sorted by %s, with equal values and microseconds',
    async (sort) => {
      const { customerId, id } = await make({ amount: 800 });
      const ids = [id];
      for (let number = 1; number < 7; number += 1) {
        const step = Math.max(0, number - 3);
        const createdAt = sql`${from}::timestamptz + ${step} * interval '1 microsecond'`;
        ids.push(await addPayment(customerId, { amount: 800 + step, createdAt }));
      }
      const found = await table(`search=${customerId}&sort=${sort}&limit=2`);
      expect(found.toSorted()).toEqual(ids.toSorted());
      expect(sort.startsWith('-') ? found.slice(0, 3).toReversed() : found.slice(4)).toEqual(ids.slice(4));
    },
  );

  it('exports exactly the rows of the filter', async () => {
    const { customerId, id, number } = await make({ refunded: 50 });
    await addPayment(customerId, { status: 'canceled' });
    const response = await get(`transactions/export?search=${customerId}&status=succeeded`);
    const lines = (await response.text()).trimEnd().split('\r\n');
    expect(lines).toHaveLength(2);
    expect(lines[1]).toContain(`${id},${customerId},`);
    expect(lines[1]).toContain(`,succeeded,,no,0.50,7.00,0.00,USD,${number},`);
    expect(lines[0]).toBe(
      'payment,customer,email,name,status,failure,disputed,refunded,amount,tax,currency,invoice,description,credits_added,' +
        'credits_removed,method,card,created',
    );
  });

  it('exports the columns that are shown, also as JSON', async () => {
    const { customerId, id } = await make();
    const response = await get(`transactions/export?search=${customerId}&columns=created,amount&format=json`);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename=transactions-[\d-]+\.json$/);
    const account = { customer: customerId, email: expect.any(String), name: 'Ada' };
    const amount = { amount: '7.00', tax: '0.00', currency: 'USD' };
    expect(await response.json()).toEqual([{ payment: id, ...account, ...amount, created: from.toISOString() }]);
    const empty = await get('transactions/export?search=pi_missing&format=json');
    expect(await empty.json()).toEqual([]);
    const wrong = await admin.fetch(`${gateway.url}/api/admin/payments/transactions/export?columns=account,secret`, {
      headers: { accept: 'application/problem+json' },
    });
    expect([wrong.status, await wrong.json()]).toMatchObject([422, { param: 'columns' }]);
  });
});

it('masks email addresses for viewers in lists and exports, and finds payments by name only', async () => {
  const viewer = await signUpAdmin(gateway, 'viewer');
  const { id, email, accountId } = await make();
  const lastName = `Lovelace ${randomUUID()}`;
  await gateway.ctx.db.updateTable('users').set({ lastName }).where('id', '=', accountId).execute();
  const masked = `${email[0]}***@***.test`;
  const find = async (search: string) => (await viewer.client.adminListTransactions({ query: { search } })).data;
  expect(await find(lastName)).toMatchObject([{ id, account: { email: masked } }]);
  expect(await find(email)).toEqual([]);
  const csv = await viewer.fetch(
    `${gateway.url}/api/admin/payments/transactions/export?search=${encodeURIComponent(lastName)}`,
  );
  const text = await csv.text();
  expect(text).toContain(masked);
  expect(text).not.toContain(email);
});

describe('GET /api/admin/stats', () => {
  it('returns revenue less refunds and lost disputes, and what live subscriptions cost per month', async () => {
    const { db } = gateway.ctx;
    const { data: before } = await admin.client.adminStats();
    const { customerId, id, invoiceId } = await make({ createdAt: new Date(), refunded: 150, lost: 50 });
    await db.updateTable('invoices').set({ paidAt: new Date() }).where('id', '=', invoiceId).execute();
    const old = await addPayment(customerId, { createdAt: new Date('2020-01-01'), refunded: 300 });
    const at = new Date();
    const refund = { currency: 'usd', status: 'succeeded', createdAt: at } as const;
    await db
      .insertInto('refunds')
      .values([
        { id: `re_${randomUUID()}`, paymentId: id, amount: 150, ...refund },
        { id: `re_${randomUUID()}`, paymentId: old, amount: 300, ...refund, createdAt: new Date('2020-01-02') },
        { id: `re_${randomUUID()}`, paymentId: id, amount: 700, ...refund, status: 'failed' },
      ])
      .execute();
    // Lost this month, long after it was opened.
    const dispute = { paymentId: id, currency: 'usd', reason: 'fraudulent', createdAt: new Date('2020-01-03') };
    await db
      .insertInto('disputes')
      .values([
        { id: `dp_${randomUUID()}`, amount: 50, outcome: 'lost', lostAt: at, ...dispute },
        { id: `dp_${randomUUID()}`, amount: 600, outcome: 'open', ...dispute },
      ])
      .execute();
    const copy = async (values: Values) => {
      const { id: _, ...row } = await db
        .selectFrom('subscriptions')
        .selectAll()
        .where('customerId', '=', customerId)
        .where('id', 'not like', 'sub_copy%')
        .executeTakeFirstOrThrow();
      const copied = `sub_copy${randomUUID()}`;
      await db
        .insertInto('subscriptions')
        .values({ id: copied, ...row, ...values })
        .execute();
      return copied;
    };
    const discounted = await copy({});
    const [couponId, callId] = [randomUUID(), randomUUID()];
    const coupon = { id: couponId, code: couponId.toUpperCase(), percent: 50, currency: 'usd', description: 'Half' };
    await db
      .insertInto('coupons')
      .values({ ...coupon, duration: 'forever' })
      .execute();
    const redemption = { couponId, slot: 1, callId, subscriptionId: discounted, redeemedAt: at };
    await db
      .insertInto('couponRedemptions')
      .values({ id: randomUUID(), ...redemption })
      .execute();
    await copy({ interval: 'year', amount: 12_000, status: 'past_due' });
    await copy({ isPaused: true });
    await copy({ status: 'canceled' });
    expect((await admin.client.adminStats()).data).toEqual({
      totalUsers: before.totalUsers + 1,
      activeSubscriptions: before.activeSubscriptions + 4,
      // 7.00 - 1.50 - 0.50, and 7.00 - 3.00 of the old payment.
      totalRevenue: (before.totalRevenue ?? 0) + 9,
      monthlyRevenue: (before.monthlyRevenue ?? 0) + 5,
      // 7.00, 120.00 per year, and half of 7.00.
      mrr: (before.mrr ?? 0) + 20.5,
    });
  });
});
