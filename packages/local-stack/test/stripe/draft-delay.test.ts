import { expect, it, vi } from 'vitest';
import { advance, createPrices, subscribe } from './billing-fixtures.ts';
import { openReceiver, openStripe } from './helpers.ts';

const HOUR = 1 / 24;

/** Opens a double with an endpoint that fails, and a subscription that has just renewed. */
async function renewWithout() {
  const { double, stripe } = await openStripe();
  const { starter } = await createPrices(stripe);
  const { customer } = await subscribe(stripe, { price: starter });
  const endpoint = { status: 500 };
  const { events } = await openReceiver(stripe, { reply: () => endpoint.status });
  await advance(double.url, customer, 'period_end');
  const readInvoice = async () => (await stripe.invoices.list({ customer: String(customer) })).data[0];
  /** Waits until a renewal that is announced stays a draft for this many hours. */
  const untilHours = (hours: number) =>
    vi.waitFor(
      async () => {
        const { created = 0, automatically_finalizes_at: finalizes } = (await readInvoice()) ?? {};
        expect(((finalizes ?? 0) - created) / 3_600).toBeCloseTo(hours, 1);
      },
      { timeout: 10_000 },
    );
  await untilHours(72);
  return { stripe, url: double.url, customer, endpoint, events, readInvoice, untilHours };
}

it('keeps a renewal in draft for 72 hours while an endpoint fails', async () => {
  const { url, customer, readInvoice } = await renewWithout();
  expect(await readInvoice()).toMatchObject({ status: 'draft', billing_reason: 'subscription_cycle' });
  await advance(url, customer, 71.9 * HOUR);
  expect(await readInvoice()).toMatchObject({ status: 'draft' });
  await advance(url, customer, 0.2 * HOUR);
  expect(await readInvoice()).toMatchObject({ status: 'paid' });
});

it('finalizes a renewal one hour after the endpoint has confirmed its event', async () => {
  const { url, customer, endpoint, events, readInvoice, untilHours } = await renewWithout();
  const sent = () => events.filter(({ type }) => type === 'invoice.created').length;
  const before = sent();
  endpoint.status = 200;
  // The next attempt is due on the clock of the customer.
  await advance(url, customer, 5 * HOUR);
  await untilHours(6);
  expect(sent()).toBe(before + 1);
  await advance(url, customer, 0.9 * HOUR);
  expect(await readInvoice()).toMatchObject({ status: 'draft' });
  await advance(url, customer, 0.2 * HOUR);
  expect(await readInvoice()).toMatchObject({ status: 'paid' });
});

it('sends an event for 3 days to an endpoint that fails', async () => {
  const { stripe, url, customer, events } = await renewWithout();
  const [first] = events.filter(({ type }) => type === 'invoice.created');
  const attempts = () => events.filter(({ id }) => id === first?.id).length;
  // The next attempt is planned when the previous one has failed.
  await vi.waitFor(
    async () => {
      await advance(url, customer, 1);
      expect(attempts()).toBe(11);
    },
    { timeout: 20_000, interval: 100 },
  );
  await advance(url, customer, 30);
  const { pending_webhooks: pending } = await stripe.events.retrieve(first?.id ?? '');
  expect([pending, attempts()]).toEqual([1, 11]);
});
