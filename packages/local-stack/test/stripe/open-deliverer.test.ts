import { expect, it, vi } from 'vitest';
import { makeStripeFolder, openReceiver, openStripe } from './helpers.ts';

/** For a busy machine. */
const patient = { timeout: 60_000 };

const typesOf = (events: readonly { type: string }[]) => events.map(({ type }) => type);

it('sends signed events to endpoints that listen to their type', async () => {
  const { stripe } = await openStripe();
  const { events, endpoint } = await openReceiver(stripe);
  await stripe.webhookEndpoints.update(endpoint.id, { enabled_events: ['customer.created'] });
  await stripe.products.create({ name: 'Pro' });
  const ada = await stripe.customers.create({ name: 'Ada' });
  await vi.waitFor(() => expect(events).toHaveLength(1), patient);
  expect(events[0]).toMatchObject({ type: 'customer.created', data: { object: { id: ada.id } } });
  await vi.waitFor(
    async () => expect((await stripe.events.list({ delivery_success: false })).data).toEqual([]),
    patient,
  );
});

it('delivers twice, late, and never', async () => {
  const { double, stripe } = await openStripe();
  const { events } = await openReceiver(stripe);
  double.deliverer.setPlan({ mode: 'drop' });
  await stripe.customers.create({ name: 'dropped' });
  double.deliverer.setPlan({ copies: 2, delayMs: 50 });
  await stripe.customers.create({ name: 'Ada' });
  await vi.waitFor(() => expect(events).toHaveLength(2), patient);
  expect(events.map(({ id }) => id)).toEqual([events[0]?.id, events[0]?.id]);
  expect(events[0]).toMatchObject({ data: { object: { name: 'Ada' } } });
});

it('holds events and releases them in the order asked for', async () => {
  const { double, stripe } = await openStripe();
  const { events } = await openReceiver(stripe);
  double.deliverer.setPlan({ mode: 'hold' });
  const { id } = await stripe.customers.create({ name: 'Ada' });
  await stripe.customers.update(id, { name: 'Eve' });
  await stripe.customers.del(id);
  expect(events).toEqual([]);
  await double.deliverer.release('reversed');
  expect(typesOf(events)).toEqual(['customer.deleted', 'customer.updated', 'customer.created']);
  await double.deliverer.resend(events[0]?.id ?? '');
  expect(typesOf(events).at(-1)).toBe('customer.deleted');
});

it('repeats a delivery that the endpoint refused, also after a restart', async () => {
  const dataDir = makeStripeFolder();
  const first = await openStripe({ dataDir });
  let status = 500;
  const { events } = await openReceiver(first.stripe, { reply: () => status });
  await first.stripe.customers.create({ name: 'Ada' });
  await vi.waitFor(() => expect(events).toHaveLength(1), patient);
  await first.double.close();
  status = 200;
  const { stripe } = await openStripe({ dataDir });
  await vi.waitFor(() => expect(events.length).toBeGreaterThan(1), patient);
  await vi.waitFor(
    async () => expect((await stripe.events.list({ delivery_success: false })).data).toEqual([]),
    patient,
  );
});
