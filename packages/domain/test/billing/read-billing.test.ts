import { requestCustomerSync } from '@uprez/db/queries/billing/plan-facts';
import { readBilling } from '@uprez/domain/billing/own/read-billing';
import { syncNextCustomer } from '@uprez/domain/billing/sync/sync-customer';
import { cancelAtPeriodEnd } from '@uprez/payments/subscription-changes';
import { openBillingWorld, type Subscriber } from '@uprez/testing/billing/open-billing-world';
import { fileFixture } from '@uprez/testing/fixtures';
import { expect, it } from 'vitest';

const world = fileFixture(openBillingWorld);

async function sync({ accountId }: Subscriber) {
  await requestCustomerSync(world.db, accountId);
  while (await syncNextCustomer(world));
  return (await readBilling(world, accountId)).nextBill;
}

const failPreviews = (times: number) =>
  world.control('failures', { when: 'before', kind: 'error', times, path: '/v1/invoices/create_preview' });

it('stores the amount of the next bill with the credit of the customer', async () => {
  const subscriber = await world.subscribe();
  await world.pay(subscriber);
  expect(await sync(subscriber)).toMatchObject({ reason: 'renewal', amount: 700 });
  await world.post(`customers/${subscriber.customerId}`, { balance: '-300' });
  expect(await sync(subscriber)).toMatchObject({ amount: 400 });
});

it('stores a payment method that is no card', async () => {
  const subscriber = await world.subscribe();
  await world.pay(subscriber);
  const { customerId, subscriptionId, accountId } = subscriber;
  const { id } = await world.post('payment_methods', { type: 'paypal' });
  await world.post(`payment_methods/${id}/attach`, { customer: customerId });
  await world.post(`subscriptions/${subscriptionId}`, { default_payment_method: id });
  await sync(subscriber);
  const { subscription } = await readBilling(world, accountId);
  expect(subscription?.card).toEqual({ brand: 'paypal', last4: null, expMonth: null, expYear: null });
});

it('keeps the stored amount when it cannot be read', async () => {
  const subscriber = await world.subscribe();
  await world.pay(subscriber);
  await world.post(`customers/${subscriber.customerId}`, { balance: '-300' });
  const known = await sync(subscriber);
  // The client repeats a request once.
  await failPreviews(2);
  expect(await sync(subscriber)).toEqual(known);
  expect(world.warnings).toEqual([]);
});

it('stores no amount when no bill follows', async () => {
  const subscriber = await world.subscribe();
  await world.pay(subscriber);
  await sync(subscriber);
  const { subscriptionId } = subscriber;
  await cancelAtPeriodEnd(world.payments, { subscriptionId, idempotencyKey: 'cancel' });
  expect(await sync(subscriber)).toBeNull();
  const stored = world.db.selectFrom('subscriptions').select('nextAmount').where('id', '=', subscriptionId);
  expect(await stored.execute()).toEqual([{ nextAmount: null }]);
});
