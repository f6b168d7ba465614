import { requestCustomerSync } from '@uprez/db/queries/billing/plan-facts';
import { listAllowanceErrors } from '@uprez/db/queries/usage/ledger';
import { syncNextCustomer } from '@uprez/domain/billing/sync/sync-customer';
import { openBillingWorld, type Subscriber } from '@uprez/testing/billing/open-billing-world';
import { fileFixture } from '@uprez/testing/fixtures';
import { waitUntil } from '@uprez/testing/wait-until';
import { afterEach, expect, it } from 'vitest';

const world = fileFixture(openBillingWorld);
afterEach(async () => expect(await listAllowanceErrors(world.db)).toEqual([]));

const dayS = 86_400;

/** Reads the customer until its account has this plan. */
const waitForPlan = ({ accountId }: Subscriber, plan: { tier: string; planShare: number }) =>
  waitUntil(async () => {
    await requestCustomerSync(world.db, accountId);
    while (await syncNextCustomer(world));
    const user = await world.db.selectFrom('users').selectAll().where('id', '=', accountId).executeTakeFirst();
    return user?.tier === plan.tier && user.planShare === plan.planShare;
  });

const [full, bridge, free] = [
  { tier: 'pro', planShare: 100 },
  { tier: 'pro', planShare: 25 },
  { tier: 'free', planShare: 100 },
];

it('keeps the plan while a renewal is a draft, and has all units when it is paid', async () => {
  const subscriber = await world.subscribe();
  await waitForPlan(subscriber, free);
  await world.pay(subscriber);
  await waitForPlan(subscriber, full);
  await world.advance(subscriber, { until: 'period_end' });
  await waitForPlan(subscriber, bridge);
  await world.advance(subscriber, { seconds: 2 * 3_600 });
  await waitForPlan(subscriber, full);
  const invoices = await world.db
    .selectFrom('invoices')
    .select(['reason', 'status'])
    .where('customerId', '=', subscriber.customerId)
    .orderBy('createdAt')
    .execute();
  expect(invoices).toEqual([
    { reason: 'subscription_create', status: 'paid' },
    { reason: 'subscription_cycle', status: 'paid' },
  ]);
});

it('keeps the plan for 7 days when a renewal is declined', async () => {
  const subscriber = await world.subscribe();
  await world.pay(subscriber, 'pm_card_visa');
  await waitForPlan(subscriber, full);
  const card = await world.post('payment_methods/pm_card_chargeCustomerFail/attach', {
    customer: subscriber.customerId,
  });
  await world.post(`subscriptions/${subscriber.subscriptionId}`, { default_payment_method: card.id });
  await world.advance(subscriber, { until: 'period_end' });
  await world.advance(subscriber, { seconds: 2 * 3_600 });
  await waitForPlan(subscriber, bridge);
  const status = world.db.selectFrom('subscriptions').select('status').where('id', '=', subscriber.subscriptionId);
  expect(await status.execute()).toEqual([{ status: 'past_due' }]);
  await world.advance(subscriber, { seconds: 6 * dayS });
  await waitForPlan(subscriber, bridge);
  await world.advance(subscriber, { seconds: dayS });
  await waitForPlan(subscriber, free);
});
