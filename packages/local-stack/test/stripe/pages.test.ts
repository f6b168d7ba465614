import { expect, it } from 'vitest';
import { advance, createPrices, subscribe } from './billing-fixtures.ts';
import { openReceiver, openStripe } from './helpers.ts';

/** Opens a double with a customer whose plan is paid, and functions that use its pages as a browser does. */
async function openPages() {
  const { double, stripe } = await openStripe();
  const prices = await createPrices(stripe);
  const { id, customer } = await subscribe(stripe, { price: prices.pro });
  const path = `/customers/${String(customer)}`;
  return {
    double,
    stripe,
    id,
    customer: String(customer),
    path,
    read: async (at = path) => (await fetch(double.url + at)).text(),
    send: (at: string, fields: Record<string, string> = {}, headers: Record<string, string> = {}) =>
      fetch(double.url + at, { method: 'POST', body: new URLSearchParams(fields), headers, redirect: 'manual' }),
  };
}

it('lists the customers with their subscriptions and cards, and says that no real money moves', async () => {
  const { customer, read, stripe } = await openPages();
  await stripe.customers.create({ email: '<b>eve@example.test' });
  const page = await read('/');
  expect(page).toContain('Local test mode: no real money');
  expect(page).toContain(`href="/customers/${customer}"`);
  expect(page).toMatch(/Pro, \$19\.00 per month.*active\. Renews on .*visa •••• 4242/s);
  expect(page).toContain('&lt;b&gt;eve@example.test');
});

it.each([
  ['declined', 'Is declined', { status: 'past_due' }],
  ['insufficient_funds', 'Has insufficient funds', { status: 'past_due' }],
  ['authentication', 'Asks for 3-D Secure', { status: 'past_due' }],
  ['succeeds', 'Succeeds', { status: 'active' }],
])('decides that a saved card is %s from now on', async (outcome, label, expected) => {
  const { double, stripe, id, customer, path, read, send } = await openPages();
  const { data } = await stripe.paymentMethods.list({ customer });
  const saved = await send(`${path}/methods/${data[0]?.id}`, { outcome });
  expect([saved.status, saved.headers.get('location')]).toEqual([303, path]);
  expect(await read()).toContain(`<option value="${outcome}" selected>${label}</option>`);
  await advance(double.url, customer, 'period_end');
  await advance(double.url, customer, 1 / 24);
  expect(await stripe.subscriptions.retrieve(id)).toMatchObject(expected);
});

it('lets a day, and the time to the period end and to the payment attempt pass', async () => {
  const { stripe, id, path, read, send } = await openPages();
  const latest = async () => {
    const { latest_invoice: invoice } = await stripe.subscriptions.retrieve(id, { expand: ['latest_invoice'] });
    return invoice && typeof invoice === 'object' ? [invoice.billing_reason, invoice.status] : undefined;
  };
  await send(`${path}/time`, { step: 'day' });
  expect(await read()).toContain('1 day has passed for this customer only.');
  expect(await latest()).toEqual(['subscription_create', 'paid']);
  await send(`${path}/time`, { step: 'period_end' });
  expect(await latest()).toEqual(['subscription_cycle', 'draft']);
  expect(await read()).toContain('Collected on');
  await send(`${path}/time`, { step: 'payment_attempt' });
  expect(await latest()).toEqual(['subscription_cycle', 'paid']);
});

it('shows why no time can pass for a customer without a subscription', async () => {
  const { stripe, send } = await openPages();
  const { id } = await stripe.customers.create({});
  const answer = await send(`/customers/${id}/time`, { step: 'period_end' });
  expect(await answer.text()).toContain('<p role="alert">This customer has no subscription.</p>');
  expect((await send('/customers/cus_none/time', { step: 'day' })).status).toBe(404);
});

it('holds, drops, releases, and resends events', async () => {
  const { stripe, read, send } = await openPages();
  const { events } = await openReceiver(stripe);
  await send('/deliveries', { mode: 'hold', delayS: '0' });
  const { id } = await stripe.customers.create({});
  const page = await read('/');
  expect(page).toContain('Release 1 held event<');
  expect(page).toContain('<option value="hold" selected>');
  expect(events).toHaveLength(0);
  await send('/deliveries/release');
  expect(events.map(({ type }) => type)).toEqual(['customer.created']);
  await send(`/events/${events[0]?.id}/resend`);
  expect(events).toHaveLength(2);
  await send('/deliveries', { mode: 'drop', delayS: '0' });
  await stripe.customers.update(id, { name: 'Ada' });
  expect(await read('/')).toMatch(/customer\.updated.*dropped/s);
  expect(events).toHaveLength(2);
});

it('refuses forms of other sites, and values that it does not offer', async () => {
  const { path, send } = await openPages();
  expect((await send(`${path}/time`, { step: 'day' }, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
  expect((await send(`${path}/time`, { step: 'year' })).status).toBe(400);
});
