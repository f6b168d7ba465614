import { listInvoices } from '@uprez/domain/billing/own/list-invoices';
import { syncAccount } from '@uprez/domain/billing/sync/sync-customer';
import { deleteCustomer } from '@uprez/payments/customers';
import { fileFixture } from '@uprez/testing/fixtures';
import { describe, expect, it } from 'vitest';
import { openPurchases } from './purchase-fixtures.ts';

const world = fileFixture(openPurchases);
const readTier = async (id: string) =>
  (await world.db.selectFrom('users').select('tier').where('id', '=', id).executeTakeFirstOrThrow()).tier;
const findCustomerId = async (accountId: string) =>
  (
    await world.db
      .selectFrom('billingCustomers')
      .select('stripeId')
      .where('accountId', '=', accountId)
      .executeTakeFirst()
  )?.stripeId ?? '';

/** Buys Pro, and deletes the customer in Stripe's dashboard. */
async function loseCustomer() {
  const buyer = await world.makeBuyer();
  await world.payForm((await world.form(buyer)).clientSecret);
  await syncAccount(world.ctx(), buyer.id);
  expect(await readTier(buyer.id)).toBe('pro');
  const customerId = await findCustomerId(buyer.id);
  await world.db
    .updateTable('billingCustomers')
    .set({ moneyBackAt: new Date('2026-01-01') })
    .where('stripeId', '=', customerId)
    .execute();
  await deleteCustomer(world.payments, customerId);
  await syncAccount(world.ctx(), buyer.id);
  return { buyer, customerId };
}

describe('an account whose customer was deleted at Stripe', () => {
  it.each(['form', 'hosted'] as const)('buys again in %s as a new customer, and keeps its bills', async (way) => {
    const { buyer, customerId } = await loseCustomer();
    expect(await readTier(buyer.id)).toBe('free');
    const offer = await world[way](buyer);
    await ('url' in offer ? world.payHosted(offer.url) : world.payForm(offer.clientSecret));
    await world.dispatch();
    await syncAccount(world.ctx(), buyer.id);
    expect(await readTier(buyer.id)).toBe('pro');
    expect(await findCustomerId(buyer.id)).not.toBe(customerId);
    const { invoices } = await listInvoices(world, { accountId: buyer.id });
    expect(invoices.map(({ status, paid }) => [status, paid])).toEqual([
      ['paid', 700],
      ['paid', 700],
    ]);
    const rows = await world.db
      .selectFrom('billingCustomers')
      .select(['accountId', 'formerAccountId', 'moneyBackAt'])
      .where((eb) => eb.or([eb('accountId', '=', buyer.id), eb('formerAccountId', '=', buyer.id)]))
      .orderBy('createdAt')
      .execute();
    expect(rows).toMatchObject([
      { accountId: null, formerAccountId: buyer.id },
      { accountId: buyer.id, formerAccountId: null, moneyBackAt: new Date('2026-01-01') },
    ]);
  });

  it('gets one new customer from several purchases at once', async () => {
    const { buyer } = await loseCustomer();
    await Promise.all([world.form(buyer), world.form(buyer), world.form(buyer)]);
    expect(await world.atStripe(buyer)).toMatchObject({ customers: 1, subscriptions: ['incomplete'] });
  });
});
