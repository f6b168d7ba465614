import { upsertSettings } from '@uprez/db/queries/instance/instance';
import { createPackCheckout } from '@uprez/domain/billing/purchases/checkout';
import type { Buyer } from '@uprez/domain/billing/purchases/start-purchase';
import { syncAccount } from '@uprez/domain/billing/sync/sync-customer';
import { syncChangedCatalog } from '@uprez/domain/billing/sync-catalog';
import { deleteOrphanedCustomers } from '@uprez/domain/billing/update-customers';
import { deleteCustomer } from '@uprez/payments/customers';
import type { Payments } from '@uprez/payments/open-payments';
import { fileFixture } from '@uprez/testing/fixtures';
import { openHoldingProxy } from '@uprez/testing/network/open-holding-proxy';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { openPurchases } from '../billing/purchase-fixtures.ts';

const world = fileFixture(openPurchases);

beforeEach(async () => {
  const yearly = { pro: null, api_basic: null, api_pro: null, enterprise: null };
  const packs = [{ key: 'small', units: 50, meter: 'shared', amount: 900 }];
  await upsertSettings(world.db, 'billing', { yearly, packs });
  await syncChangedCatalog(world);
});

const buy = (buyer: Buyer, payments?: Payments) =>
  createPackCheckout(world.ctx(payments), { buyer, pack: 'small', publicUrl: 'https://images.example' });

/** Starts a pack, and then a plan before the pack has a customer. */
async function buyAtOnce(buyer: Buyer) {
  const proxy = await openHoldingProxy(world.stripe.double.url, '/v1/customers');
  const payments = world.openClient(proxy.url);
  onTestFinished(() => {
    payments.close();
    proxy.close();
  });
  const pack = buy(buyer, payments);
  await proxy.held;
  const { clientSecret } = await world.form(buyer);
  proxy.release();
  return { clientSecret, url: (await pack).url };
}

async function expectOneCustomer(buyer: Buyer) {
  const { clientSecret, url } = await buyAtOnce(buyer);
  await world.payForm(clientSecret);
  await world.payHosted(url);
  await syncAccount(world.ctx(), buyer.id);
  const granted = world.db.selectFrom('allowances').select('source').where('accountId', '=', buyer.id);
  expect(await granted.where('source', '=', 'pack').execute()).toHaveLength(1);
  const user = world.db.selectFrom('users').select('tier').where('id', '=', buyer.id);
  expect(await user.executeTakeFirst()).toEqual({ tier: 'pro' });
  expect((await world.atStripe(buyer)).customers).toBe(2);
  expect(await deleteOrphanedCustomers(world)).toBe(1);
  expect(await world.atStripe(buyer)).toEqual({ customers: 1, subscriptions: ['active'], sessions: ['complete'] });
}

it('gives both to an account that buys a plan and a pack at once, with one customer', async () => {
  await expectOneCustomer(await world.makeBuyer());
});

it('sells nothing to an account whose deletion was requested, until it is kept', async () => {
  const buyer = await world.makeBuyer();
  const leave = (deletesAt: Date | null) =>
    world.db.updateTable('users').set({ deletesAt }).where('id', '=', buyer.id).execute();
  await leave(new Date(Date.now() + 86_400_000));
  for (const way of [() => world.form(buyer), () => world.hosted(buyer), () => buy(buyer)])
    await expect(way()).rejects.toMatchObject({ code: 'subscription_state' });
  expect(await world.readCalls(buyer)).toEqual([]);
  await leave(null);
  expect(await buy(buyer)).toEqual({ url: expect.any(String) });
});

it('gives a pack whose customer was deleted at Stripe before its payment was read', async () => {
  const buyer = await world.makeBuyer();
  await world.payHosted((await buy(buyer)).url);
  for (const { id } of (await world.listOf(buyer)).customers) await deleteCustomer(world.payments, id);
  await world.payForm((await world.form(buyer)).clientSecret);
  await world.dispatch();
  const granted = world.db.selectFrom('allowances').select('units').where('accountId', '=', buyer.id);
  expect(await granted.where('source', '=', 'pack').execute()).toEqual([{ units: 50 }]);
  expect(await world.readCalls(buyer)).toMatchObject([{ state: 'done' }, { state: 'done' }]);
});

it('gives both, with one customer, when the account had a customer that was deleted at Stripe', async () => {
  const buyer = await world.makeBuyer();
  await buy(buyer);
  for (const { id } of (await world.listOf(buyer)).customers) await deleteCustomer(world.payments, id);
  await world.expire(buyer);
  await world.dispatch();
  await expectOneCustomer(buyer);
});
