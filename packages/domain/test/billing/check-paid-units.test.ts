import { randomUUID } from 'node:crypto';
import { settlePlan } from '@uprez/domain/billing/plan/settle-plan';
import { checkPaidUnits } from '@uprez/domain/usage/check-ledger';
import { makePaidPlan } from '@uprez/testing/billing/make-paid-plan';
import { fileFixture } from '@uprez/testing/fixtures';
import { makeUser } from '@uprez/testing/make-user';
import { openTestDatabase } from '@uprez/testing/open-test-database';
import { sql } from 'kysely';
import { beforeEach, expect, it } from 'vitest';

const world = fileFixture(openTestDatabase);
const dayMs = 86_400_000;
beforeEach(async () => {
  for (const table of ['refunds', 'disputes', 'payments', 'invoice_lines', 'invoices', 'subscriptions'])
    await sql`delete from ${sql.table(table)}`.execute(world.db);
  await world.db.deleteFrom('users').execute();
  await world.db.deleteFrom('billingCustomers').execute();
});

const errors = async () => (await checkPaidUnits(world)).map(({ error }) => error).sort();
const settle = (accountId: string) => world.db.transaction().execute((tx) => settlePlan(tx, accountId));

/** Creates an account with a paid Pro plan, its payment, and its units. */
async function subscribe() {
  const { accountId } = await makeUser(world.db);
  const [from, until] = [new Date(Date.now() - 5 * dayMs), new Date(Date.now() + 25 * dayMs)];
  const { invoiceId, subscriptionId } = await makePaidPlan(world.db, { accountId, tier: 'pro', from, until });
  await settle(accountId);
  const payment = { id: `pi_${randomUUID()}`, customerId: subscriptionId.replace('sub_', 'cus_'), invoiceId };
  const money = { amount: 700, received: 700, refunded: 0, currency: 'usd', status: 'succeeded', isDisputed: false };
  await world.db
    .insertInto('payments')
    .values({ ...payment, ...money, createdAt: from })
    .execute();
  return { accountId, invoiceId, paymentId: payment.id };
}
async function refund(paymentId: string, amount: number) {
  const id = `re_${randomUUID()}`;
  const row = { id, paymentId, amount, currency: 'usd', status: 'succeeded', createdAt: new Date() } as const;
  await world.db.insertInto('refunds').values(row).execute();
  return id;
}
const setAllowance = (accountId: string, change: { units?: number; cycle?: number; ref?: string }) =>
  world.db
    .updateTable('allowances')
    .set(change)
    .where('accountId', '=', accountId)
    .where('meter', '=', 'ai')
    .where('tier', '=', 'pro')
    .execute();

it('finds nothing in a plan that is paid, refunded in part, or ended', async () => {
  const { accountId, paymentId } = await subscribe();
  expect(await errors()).toEqual([]);
  await refund(paymentId, 333);
  await settle(accountId);
  expect(await errors()).toEqual([]);
  await refund(paymentId, 367);
  await world.db.updateTable('invoices').set({ refunded: 700 }).execute();
  await settle(accountId);
  expect(await errors()).toEqual([]);
});

it('finds a paid line without units', async () => {
  const { accountId } = await subscribe();
  await world.db.deleteFrom('users').where('id', '=', accountId).execute();
  const { accountId: other } = await makeUser(world.db);
  await world.db.updateTable('billingCustomers').set({ accountId: other }).execute();
  await world.db.updateTable('billingCustomers').set({ mirrored: 1 }).execute();
  expect(await errors()).toEqual(['is paid, but gave no units for ai and standard']);
});

it('finds units that are more or less than the plan has, and months that it does not have', async () => {
  const { accountId } = await subscribe();
  await setAllowance(accountId, { units: 101 });
  expect(await errors()).toEqual(['has 101 units, the plan has 100']);
  await setAllowance(accountId, { units: 99 });
  expect(await errors()).toEqual(['is paid and has 99 of 100 units']);
  await setAllowance(accountId, { units: 100, cycle: 1 });
  expect(await errors()).toEqual(['has month 2 of a plan that is paid by the month']);
});

it('finds an allowance without its invoice', async () => {
  const { accountId } = await subscribe();
  await setAllowance(accountId, { ref: 'in_missing' });
  expect(await errors()).toEqual(['is paid, but gave no units for ai', 'the invoice that pays it is missing']);
});

it('finds refunds that took no units, and units that were taken for no refund or for too much', async () => {
  const { accountId, paymentId } = await subscribe();
  const id = await refund(paymentId, 350);
  expect(await errors()).toEqual([`${id} took no units back`, `${id} took no units back`]);
  await settle(accountId);
  expect(await errors()).toEqual([]);
  await world.db.updateTable('refunds').set({ amount: 70 }).where('id', '=', id).execute();
  expect(await errors()).toEqual([
    '50 of 100 units taken back, the refunds are worth 10',
    '500 of 1000 units taken back, the refunds are worth 100',
  ]);
  await world.db.deleteFrom('refunds').execute();
  const unknown = `takes units back for ${id}, which is no refund or lost dispute`;
  expect(await errors()).toEqual([unknown, unknown]);
});
