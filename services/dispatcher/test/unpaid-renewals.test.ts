import { requestCustomerSync } from '@uprez/db/queries/billing/plan-facts';
import { runDunning } from '@uprez/domain/billing/dunning/run-dunning';
import { syncNextCustomer } from '@uprez/domain/billing/sync/sync-customer';
import { listEvents } from '@uprez/payments/webhook-events';
import { openBillingWorld, type Subscriber } from '@uprez/testing/billing/open-billing-world';
import { testFixture } from '@uprez/testing/fixtures';
import { openHoldingProxy } from '@uprez/testing/network/open-holding-proxy';
import { getServices } from '@uprez/testing/open-test-database';
import { startTestProduct } from '@uprez/testing/products/start-test-product';
import { waitUntil } from '@uprez/testing/wait-until';
import { expect, it, onTestFinished } from 'vitest';

const world = testFixture(openBillingWorld);
const dayS = 86_400;

async function sync({ accountId }: Subscriber) {
  await requestCustomerSync(world.db, accountId);
  while (await syncNextCustomer(world));
}

/** Creates a subscriber whose renewal was declined a day ago, with the email of that day. */
async function failRenewal() {
  // Attempts after the first one are left to the dispatcher.
  await world.control('retries', { delaysDays: [] });
  const subscriber = await world.subscribe();
  await world.pay(subscriber);
  const { customerId, subscriptionId } = subscriber;
  const card = await world.post('payment_methods/pm_card_chargeCustomerFail/attach', { customer: customerId });
  await world.post(`subscriptions/${subscriptionId}`, { default_payment_method: card.id });
  await world.advance(subscriber, { until: 'period_end' });
  await world.advance(subscriber, { seconds: 3_700 });
  await sync(subscriber);
  await runDunning(world);
  await world.advance(subscriber, { seconds: dayS });
  await sync(subscriber);
  return subscriber;
}
const findSubscription = ({ subscriptionId }: Subscriber) =>
  world.db.selectFrom('subscriptions').selectAll().where('id', '=', subscriptionId).executeTakeFirstOrThrow();

it('another dispatcher goes on with an unpaid renewal when one is killed while it collects the bill', async () => {
  const subscriber = await failRenewal();
  const { pastDueInvoiceId: invoiceId } = await findSubscription(subscriber);
  const proxy = await openHoldingProxy(world.stripe.double.url, `/v1/invoices/${invoiceId}/pay`);
  onTestFinished(proxy.close);
  const product = await startTestProduct({
    databaseUrl: world.databaseUrl,
    redisUrl: getServices().redisUrl,
    services: ['dispatcher'],
    env: { ...world.stripe.env, STRIPE_API_URL: proxy.url },
  });
  onTestFinished(product.close);
  await proxy.held;
  await product.services[0]?.end('SIGKILL');
  expect(await findSubscription(subscriber)).toMatchObject({ ladderStep: 0 });
  await product.spawn('dispatcher', { STRIPE_API_URL: world.stripe.double.url });
  // The claim of a process that is gone ends with its lease.
  const expired = { leaseUntil: new Date(0), notBefore: new Date(0) };
  await world.db.updateTable('billingCalls').set(expired).where('accountId', '=', subscriber.accountId).execute();
  await waitUntil(async () => (await findSubscription(subscriber)).ladderStep === 1);
  const { items } = await listEvents(world.payments, { since: new Date(0) });
  const declines = items.filter(({ type, objectId }) => type === 'invoice.payment_failed' && objectId === invoiceId);
  expect(declines).toHaveLength(2);
  const mails = world.db.selectFrom('billingMails').select('key').orderBy('createdAt');
  expect(await mails.where('accountId', '=', subscriber.accountId).execute()).toEqual([
    { key: `unpaid:${invoiceId}:0` },
    { key: `unpaid:${invoiceId}:1` },
  ]);
});
