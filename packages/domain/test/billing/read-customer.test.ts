import { readCustomer } from '@uprez/domain/billing/sync/read-customer';
import { openPayments } from '@uprez/payments/open-payments';
import { listPayments } from '@uprez/payments/payment-intents';
import { openBillingWorld, type Subscriber } from '@uprez/testing/billing/open-billing-world';
import { openCountingProxy } from '@uprez/testing/count-requests';
import { fileFixture } from '@uprez/testing/fixtures';
import { expect, it } from 'vitest';

const world = fileFixture(openBillingWorld);
const counted = fileFixture(() => openCountingProxy(world.stripe.double.url));

/** The requests of reading a customer. */
async function countReads({ customerId }: Subscriber): Promise<number> {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_PUBLISHABLE_KEY: publishableKey } = world.stripe.env;
  const keys = { mode: 'test', secretKey, publishableKey, webhookSecrets: [] } as const;
  const payments = openPayments({ ...keys, apiUrl: counted.url });
  counted.take();
  await readCustomer({ db: world.db, payments }, customerId);
  payments.close();
  return counted.take();
}

async function dispute(paymentIntentId: string): Promise<void> {
  const headers = { authorization: `Bearer ${world.stripe.env.STRIPE_SECRET_KEY}` };
  const response = await fetch(`${world.stripe.double.url}/v1/payment_intents/${paymentIntentId}`, { headers });
  const { latest_charge: charge } = (await response.json()) as { latest_charge: string };
  await world.control(`charges/${charge}/dispute`, {});
}

it('takes 3 requests for a customer whose subscription is unpaid, and 4 with the next bill of a live one', async () => {
  const subscriber = await world.subscribe();
  expect(await countReads(subscriber)).toBe(3);
  await world.pay(subscriber);
  expect(await countReads(subscriber)).toBe(4);
});

it('takes at most 5 requests, however many payments are disputed', async () => {
  const subscriber = await world.subscribe();
  await world.pay(subscriber);
  for (let month = 0; month < 2; month += 1) {
    await world.advance(subscriber, { until: 'period_end' });
    await world.advance(subscriber, { seconds: 7_200 });
  }
  const { items } = await listPayments(world.payments, subscriber);
  expect(items.map(({ status }) => status)).toEqual(['succeeded', 'succeeded', 'succeeded']);
  for (const { id } of items) await dispute(id);
  expect(await countReads(subscriber)).toBe(5);
});
