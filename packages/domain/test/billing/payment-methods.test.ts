import { listPlanCards } from '@uprez/domain/billing/list-plan-cards';
import { syncPaymentMethods } from '@uprez/domain/billing/payment-methods';
import { syncCatalog } from '@uprez/domain/billing/sync-catalog';
import { openBillingWorld } from '@uprez/testing/billing/open-billing-world';
import { testFixture } from '@uprez/testing/fixtures';
import { expect, it } from 'vitest';

const world = testFixture(openBillingWorld);

const methodsOf = async (plan: string) => (await listPlanCards(world)).find(({ key }) => key === plan)?.paymentMethods;

it('plan cards have no payment methods before the first sync', async () => {
  expect(await methodsOf('pro')).toEqual([]);
});

it('plan cards have the payment methods that were on at the latest sync, where the plan is sold', async () => {
  await world.control('payment_methods', { paypal: 'on' });
  expect(await syncPaymentMethods(world)).toEqual(['card', 'paypal']);
  expect([await methodsOf('pro'), await methodsOf('free')]).toEqual([['card', 'paypal'], []]);
  await world.control('payment_methods', { paypal: 'off' });
  expect(await methodsOf('pro')).toEqual(['card', 'paypal']);
  await syncPaymentMethods(world);
  expect(await methodsOf('pro')).toEqual(['card']);
});

it('payment methods stay when Stripe is unavailable', async () => {
  await syncPaymentMethods(world);
  await world.control('failures', { when: 'before', kind: 'error', path: '/v1/payment_method_config', times: 2 });
  await expect(syncPaymentMethods(world)).rejects.toThrow('payments: unavailable');
  expect(await methodsOf('pro')).toEqual(['card', 'paypal']);
});

it('payment methods of another Stripe account are deleted when the database moves to that of the keys', async () => {
  await syncPaymentMethods(world);
  await world.db
    .updateTable('instance')
    .set({ value: 'acct_1 (live mode)' })
    .where('name', '=', 'stripe_account')
    .execute();
  await syncCatalog(world, { onChange: () => {} });
  expect(await methodsOf('pro')).toEqual([]);
});
