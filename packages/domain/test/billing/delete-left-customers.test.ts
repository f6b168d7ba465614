import { syncNextCustomer } from '@uprez/domain/billing/sync/sync-customer';
import { deleteOrphanedCustomers } from '@uprez/domain/billing/update-customers';
import { findCustomer } from '@uprez/payments/customers';
import { openBillingWorld, type Subscriber } from '@uprez/testing/billing/open-billing-world';
import { fileFixture } from '@uprez/testing/fixtures';
import { beforeEach, expect, it } from 'vitest';

const world = fileFixture(openBillingWorld);
let left: Subscriber;
let staying: Subscriber;

beforeEach(async () => {
  [left, staying] = [await world.subscribe(), await world.subscribe()];
  for (const subscriber of [left, staying]) await world.pay(subscriber);
  while (await syncNextCustomer(world));
  await world.db.deleteFrom('users').where('id', '=', left.accountId).execute();
});

const statusOf = async ({ subscriptionId }: Subscriber) => {
  const query = world.db.selectFrom('subscriptions').select('status').where('id', '=', subscriptionId);
  return (await query.executeTakeFirstOrThrow()).status;
};

it('deletes the customer of a deleted account at Stripe, which ends the subscription, and keeps the bills', async () => {
  expect(await deleteOrphanedCustomers(world)).toBe(1);
  expect(await deleteOrphanedCustomers(world)).toBe(0);
  expect(await findCustomer(world.payments, left.customerId)).toBeUndefined();
  expect(await findCustomer(world.payments, staying.customerId)).toBeDefined();
  while (await syncNextCustomer(world));
  expect([await statusOf(left), await statusOf(staying)]).toEqual(['canceled', 'active']);
  const bills = await world.db.selectFrom('invoices').selectAll().where('customerId', '=', left.customerId).execute();
  expect(bills).toMatchObject([{ status: 'paid', paid: 700 }]);
});

it('deletes the customer later when Stripe cannot be reached', async () => {
  await world.control('failures', { when: 'before', kind: 'error', times: 2, method: 'DELETE' });
  expect(await deleteOrphanedCustomers(world)).toBe(0);
  expect(await findCustomer(world.payments, left.customerId)).toBeDefined();
  expect(world.warnings).toMatchObject([{ customerId: left.customerId }]);
  expect(await deleteOrphanedCustomers(world)).toBe(1);
});
