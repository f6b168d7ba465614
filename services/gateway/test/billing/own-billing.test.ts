import { makePaidPlan } from '@uprez/testing/billing/make-paid-plan';
import { fileFixture } from '@uprez/testing/fixtures';
import type { SignedIn } from '@uprez/testing/sign-up';
import { expect, it } from 'vitest';
import { startTestGateway } from '../support/start-test-gateway.ts';

const gateway = fileFixture(startTestGateway);
const dayMs = 86_400_000;
const inDays = (days: number) => new Date(Math.floor(Date.now() / 1_000) * 1_000 + days * dayMs);

type Change = { subscription?: object; invoice?: object; interval?: 'month' | 'year' };

/** Signs up with a paid Pro plan whose period began 10 days ago. */
async function subscribe({ subscription = {}, invoice = {}, interval = 'month' }: Change = {}) {
  const user = await gateway.signUp();
  const { db } = gateway.ctx;
  const plan = { accountId: user.user.id, tier: 'pro', from: inDays(-10), until: inDays(20), interval } as const;
  const ids = await makePaidPlan(db, plan);
  if (Object.keys(subscription).length > 0)
    await db.updateTable('subscriptions').set(subscription).where('id', '=', ids.subscriptionId).execute();
  const stored = { paidAt: plan.from, finalizedAt: plan.from, number: 'UPZ-0001', ...invoice };
  await db.updateTable('invoices').set(stored).where('id', '=', ids.invoiceId).execute();
  return { ...user, ...ids };
}

type NewPrice = { id: string; tier: 'pro' | 'api_basic'; interval: 'month' | 'year'; amount: number };
async function makePrice({ id, tier, interval, amount }: NewPrice) {
  const price = { id, tier, interval, amount, currency: 'usd', planVersion: 1, lookupKey: id, active: false };
  const insert = gateway.ctx.db.insertInto('prices').values(price);
  await insert.onConflict((conflict) => conflict.doNothing()).execute();
  return { priceId: id, tier, interval, price: { amount, currency: 'usd' } };
}

const readBilling = async ({ client }: Pick<SignedIn, 'client'>) => (await client.billing()).data;

it('returns the Free plan without bills to an account that never bought one', async () => {
  expect(await readBilling(await gateway.signUp())).toEqual({
    ...{ tier: 'free', override: null, subscription: null },
    ...{ nextBill: null, unpaid: null, moneyBackUntil: null, moneyBackAmount: null, isOffered: false, packs: [] },
  });
});

it('returns nothing of a checkout that was only opened', async () => {
  const opened = { subscription: { status: 'incomplete' }, invoice: { status: 'open', paid: 0, paidAt: null } };
  const user = await subscribe(opened);
  expect(await readBilling(user)).toMatchObject({ tier: 'free', subscription: null, nextBill: null, unpaid: null });
  expect((await user.client.listInvoices({ query: {} })).data).toEqual({ invoices: [], cursor: null });
});

it('returns the plan, its period, its card, and the next bill with its discounts', async () => {
  const card = { cardBrand: 'visa', cardLast4: '4242', cardExpMonth: 12, cardExpYear: 2030 };
  const user = await subscribe({ subscription: { ...card, nextAmount: 350 } });
  const billing = await readBilling(user);
  expect(billing).toMatchObject({
    subscription: {
      plan: { tier: 'pro', interval: 'month', price: { amount: 700, currency: 'usd' } },
      ...{ badge: 'active', cancelAt: null, pausedUntil: null, next: null, pending: null },
      card: { brand: 'visa', last4: '4242', expMonth: 12, expYear: 2030 },
    },
    nextBill: { reason: 'renewal', amount: 350, currency: 'usd' },
    unpaid: null,
  });
  expect(billing.nextBill?.at).toBe(billing.subscription?.periodEnd);
});

it('returns the price as the next bill until its amount was read', async () => {
  expect((await readBilling(await subscribe())).nextBill).toMatchObject({ amount: 700 });
});

it('returns a downgrade and its bill', async () => {
  const plan = await makePrice({ id: 'price_next', tier: 'pro', interval: 'month', amount: 700 });
  const nextAt = inDays(20);
  const user = await subscribe({ subscription: { nextPriceId: plan.priceId, nextAt, nextAmount: 600 } });
  const { subscription, nextBill } = await readBilling(user);
  expect(subscription?.next).toEqual({ plan, at: nextAt.toISOString() });
  expect(nextBill).toMatchObject({ reason: 'plan_change', at: nextAt.toISOString(), amount: 600 });
});

it('returns an upgrade that waits for its payment', async () => {
  const plan = await makePrice({ id: 'price_pending', tier: 'api_basic', interval: 'month', amount: 1_900 });
  const pendingUntil = inDays(0.9);
  const user = await subscribe({ subscription: { pendingPriceId: plan.priceId, pendingUntil } });
  const { subscription } = await readBilling(user);
  expect(subscription).toMatchObject({ pending: { plan, until: pendingUntil.toISOString() }, plan: { tier: 'pro' } });
});

it('returns no next bill after a cancellation, and when the plan ends', async () => {
  const user = await subscribe({ subscription: { cancelsAtPeriodEnd: true } });
  const { subscription, nextBill } = await readBilling(user);
  expect(nextBill).toBeNull();
  expect(subscription?.cancelAt).toBe(subscription?.periodEnd);
});

it('returns the first bill after a pause', async () => {
  const pausedUntil = new Date(Number(inDays(20)) - 3_600_000);
  const user = await subscribe({ subscription: { isPaused: true, pausedUntil, anchor: inDays(-10) } });
  const { subscription, nextBill } = await readBilling(user);
  expect(subscription?.pausedUntil).toBe(nextBill?.at);
  expect(nextBill?.reason).toBe('pause_end');
  expect(Date.parse(nextBill?.at ?? '')).toBeGreaterThan(Number(pausedUntil));
});

it('returns the unpaid bill, when it is collected again, and when the plan ends', async () => {
  const finalizedAt = inDays(-2);
  const invoice = { status: 'open', paid: 0, finalizedAt, paidAt: null, nextAttemptAt: null };
  const user = await subscribe({ subscription: { status: 'past_due' }, invoice });
  const days = (count: number) => new Date(Number(finalizedAt) + count * dayMs).toISOString();
  expect(await readBilling(user)).toMatchObject({
    subscription: { badge: 'past_due' },
    unpaid: { invoiceId: user.invoiceId, retryAt: days(3), endsAt: days(7), amount: 700, currency: 'usd' },
  });
});

it('returns until when a yearly plan can be refunded, and nothing after that', async () => {
  const price = await makePrice({ id: 'price_pro', tier: 'pro', interval: 'year', amount: 7_000 });
  expect(price.priceId).toBe('price_pro');
  const paidAt = inDays(-10);
  const user = await subscribe({ interval: 'year', invoice: { paidAt } });
  const end = new Date(Number(paidAt) + 30 * dayMs).toISOString();
  expect(await readBilling(user)).toMatchObject({ moneyBackUntil: end, moneyBackAmount: 700 });
  const late = await subscribe({ interval: 'year', invoice: { paidAt: inDays(-30) } });
  expect((await readBilling(late)).moneyBackUntil).toBeNull();
  const monthly = await subscribe({ interval: 'month' });
  expect((await readBilling(monthly)).moneyBackUntil).toBeNull();
});

it('returns a first payment that is being processed as pending', async () => {
  const user = await subscribe({ invoice: { status: 'open', paid: 0, paidAt: null } });
  const { db } = gateway.ctx;
  const { customerId } = await db
    .updateTable('subscriptions')
    .set({ status: 'incomplete', latestInvoiceId: user.invoiceId })
    .where('id', '=', user.subscriptionId)
    .returning('customerId')
    .executeTakeFirstOrThrow();
  expect((await readBilling(user)).subscription).toBeNull();
  const amounts = { amount: 700, received: 0, refunded: 0, currency: 'usd', isDisputed: false, createdAt: inDays(0) };
  const payment = {
    id: `pi_${user.invoiceId}`,
    customerId,
    invoiceId: user.invoiceId,
    status: 'processing',
    ...amounts,
  };
  await db.insertInto('payments').values(payment).execute();
  expect((await readBilling(user)).subscription?.badge).toBe('pending');
});

it("returns an administrator's plan beside the subscription", async () => {
  const user = await subscribe();
  const override = { overrideTier: 'api_pro', overrideReason: 'partner', tier: 'api_pro' } as const;
  await gateway.ctx.db.updateTable('users').set(override).where('id', '=', user.user.id).execute();
  expect(await readBilling(user)).toMatchObject({
    tier: 'api_pro',
    override: { tier: 'api_pro', until: null, reason: 'partner' },
    subscription: { plan: { tier: 'pro' } },
  });
});

it('lists own invoices in pages, newest first', async () => {
  const user = await subscribe();
  const { db } = gateway.ctx;
  const first = await db.selectFrom('invoices').selectAll().where('id', '=', user.invoiceId).executeTakeFirstOrThrow();
  const copies = Array.from({ length: 60 }, (_, n) => ({
    ...first,
    id: `${first.id}_${n}`,
    createdAt: inDays(-70 + n),
  }));
  await db.insertInto('invoices').values(copies).execute();
  await subscribe();
  const { data: page } = await user.client.listInvoices({ query: {} });
  expect(page.invoices).toHaveLength(50);
  const { data: rest } = await user.client.listInvoices({ query: { cursor: page.cursor ?? '' } });
  expect(rest).toMatchObject({ cursor: null });
  const dates = [...page.invoices, ...rest.invoices].map(({ createdAt }) => createdAt);
  expect(dates).toHaveLength(61);
  expect(dates).toEqual(dates.toSorted().reverse());
  expect(page.invoices[0]).toMatchObject({ total: 700, paid: 700, refunded: 0, currency: 'usd', status: 'paid' });
});

it('A12: exports own invoices as CSV, without formulas', async () => {
  const user = await subscribe({ invoice: { number: '=1+1', total: 650, discount: 50, paid: 650 } });
  await gateway.ctx.db
    .updateTable('invoiceLines')
    .set({ description: '@SUM(A1)', priceId: null })
    .where('invoiceId', '=', user.invoiceId)
    .execute();
  const response = await user.fetch(`${gateway.url}/api/billing/invoices.csv`);
  expect(response.headers.get('content-disposition')).toBe('attachment; filename="invoices.csv"');
  const [header, row, end] = (await response.text()).split('\r\n');
  expect(header).toBe('number,created,status,description,currency,subtotal,discount,tax,total,paid,refunded');
  const date = inDays(-10).toISOString().slice(0, 10);
  expect(row).toMatch(
    new RegExp(`^'=1\\+1,${date}.*,paid,'@SUM\\(A1\\),USD,7\\.00,0\\.50,0\\.00,6\\.50,6\\.50,0\\.00$`),
  );
  expect(end).toBe('');
});
