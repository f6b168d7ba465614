import { randomUUID } from 'node:crypto';
import { reconcileSubscriptions } from '@uprez/domain/billing/reconcile/reconcile-subscriptions';
import { openBillingWorld, type Subscriber } from '@uprez/testing/billing/open-billing-world';
import { fileFixture } from '@uprez/testing/fixtures';
import { makeUser } from '@uprez/testing/make-user';
import { describe, expect, it } from 'vitest';

const world = fileFixture(openBillingWorld);

const readTier = async (accountId: string) =>
  (await world.db.selectFrom('users').select('tier').where('id', '=', accountId).executeTakeFirstOrThrow()).tier;
const findAccountOf = (stripeId: string) =>
  world.db.selectFrom('billingCustomers').select('accountId').where('stripeId', '=', stripeId).executeTakeFirst();
async function reconcile() {
  const found = await reconcileSubscriptions(world);
  await world.syncAll();
  return found;
}

/** Creates a price of another product in the Stripe account, with metadata copied from ours. */
async function copyPrice(): Promise<string> {
  const product = await world.post('products', { name: 'Pro', 'metadata[app]': 'uprez' });
  const { id } = await world.post('prices', {
    ...{ product: product.id, currency: 'usd', unit_amount: '100', 'recurring[interval]': 'month' },
    ...{ 'metadata[app]': 'uprez', 'metadata[tier]': 'api_pro', 'metadata[version]': '1' },
  });
  return id;
}

/** A subscription that another product in the Stripe account sold to a customer of its own. */
async function sellElsewhere({ customer, subscription }: Record<'customer' | 'subscription', Record<string, string>>) {
  const toFields = (metadata: Record<string, string>) =>
    Object.fromEntries(Object.entries(metadata).map(([key, value]) => [`metadata[${key}]`, value]));
  const { id: customerId } = await world.post('customers', { email: 'eve@example.test', ...toFields(customer) });
  const { id: subscriptionId } = await world.post('subscriptions', {
    ...{
      customer: customerId,
      'items[0][price]': await world.findPrice('pro'),
      payment_behavior: 'default_incomplete',
    },
    ...{ 'billing_mode[type]': 'flexible', ...toFields(subscription) },
  });
  const sold: Subscriber = { accountId: '', customerId, subscriptionId };
  await world.pay(sold);
  return sold;
}

describe('A2: what others in a shared Stripe account copy from us', () => {
  it('a price of another product grants no plan', async () => {
    const subscriber = await world.subscribe('', await copyPrice());
    await world.pay(subscriber);
    await world.syncAll();
    expect(await readTier(subscriber.accountId)).toBe('free');
    expect(await reconcile()).toBe(0);
    expect(await readTier(subscriber.accountId)).toBe('free');
    const stored = world.db.selectFrom('subscriptions').select('id').where('id', '=', subscriber.subscriptionId);
    expect(await stored.execute()).toEqual([]);
  });

  it.each([
    ['the account and the call', (account: string) => ({ app: 'uprez', account, call: randomUUID() })],
    ['the account alone', (account: string): Record<string, string> => ({ account })],
  ])('a subscription with %s grants no plan, and its customer is not adopted', async (_case, copy) => {
    const { accountId } = await makeUser(world.db);
    const { customerId } = await sellElsewhere({ customer: {}, subscription: copy(accountId) });
    expect(await reconcile()).toBe(0);
    expect(await findAccountOf(customerId)).toBeUndefined();
    expect(await readTier(accountId)).toBe('free');
  });

  it('a customer with the name of an account in metadata of another product is not adopted', async () => {
    const { accountId } = await makeUser(world.db);
    const named = { app: 'other', account: accountId };
    const { customerId } = await sellElsewhere({ customer: named, subscription: named });
    expect(await reconcile()).toBe(0);
    expect(await findAccountOf(customerId)).toBeUndefined();
  });

  it('a customer that copies everything is not adopted by an account that has one', async () => {
    const subscriber = await world.subscribe();
    await world.pay(subscriber);
    await world.syncAll();
    const copied = { app: 'uprez', account: subscriber.accountId, call: randomUUID() };
    const { customerId } = await sellElsewhere({ customer: copied, subscription: copied });
    expect(await reconcile()).toBe(0);
    expect(await findAccountOf(customerId)).toBeUndefined();
    expect(await findAccountOf(subscriber.customerId)).toEqual({ accountId: subscriber.accountId });
  });
});
