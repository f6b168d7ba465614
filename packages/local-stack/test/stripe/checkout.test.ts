import type Stripe from 'stripe';
import { expect, it } from 'vitest';
import { advance, createPrices } from './billing-fixtures.ts';
import { errorOf, openStripe } from './helpers.ts';

const urls = {
  success_url: 'http://localhost:4000/dashboard?checkout={CHECKOUT_SESSION_ID}',
  cancel_url: 'http://localhost:4000/pricing',
};

async function openCheckout(stripe: Stripe, params: Partial<Stripe.Checkout.SessionCreateParams> = {}) {
  const customer = params.customer ?? (await stripe.customers.create({ email: 'ada@example.test' })).id;
  const { starter } = await createPrices(stripe);
  return stripe.checkout.sessions.create({
    mode: 'subscription',
    customer,
    line_items: [{ price: starter, quantity: 1 }],
    ...urls,
    metadata: { call: '1' },
    subscription_data: { billing_mode: { type: 'flexible' }, metadata: { call: '1' } },
    ...params,
  });
}

/** Sends the form of the page, as a person does. */
const pay = (url: string | null, fields: Record<string, string>) =>
  fetch(String(url), { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' });

it('sells a subscription on its own page, and returns to the product', async () => {
  const { stripe } = await openStripe();
  const session = await openCheckout(stripe);
  expect(session).toMatchObject({ status: 'open', payment_status: 'unpaid', amount_total: 700, subscription: null });
  const page = await (await fetch(String(session.url))).text();
  expect(page).toContain('Local test mode: no real money');
  expect(page).toContain('Starter: <strong>$7.00</strong>');
  const paid = await pay(session.url, { number: '4242 4242 4242 4242' });
  expect(paid.status).toBe(303);
  expect(paid.headers.get('location')).toBe(`http://localhost:4000/dashboard?checkout=${session.id}`);
  const complete = await stripe.checkout.sessions.retrieve(session.id, { expand: ['subscription', 'invoice'] });
  expect(complete).toMatchObject({
    status: 'complete',
    payment_status: 'paid',
    url: null,
    subscription: { status: 'active', metadata: { call: '1' } },
    invoice: { status: 'paid', amount_paid: 700 },
  });
  const events = await stripe.events.list({ type: 'checkout.session.completed' });
  expect(events.data).toHaveLength(1);
  // The Back button and a second tab lead on.
  for (const again of [
    await fetch(String(session.url), { redirect: 'manual' }),
    await pay(session.url, { number: '4242424242424242' }),
  ])
    expect([again.status, again.headers.get('location')]).toEqual([303, paid.headers.get('location')]);
  expect(await errorOf(stripe.checkout.sessions.expire(session.id))).toMatchObject({ statusCode: 400 });
});

it('shows why a card is declined, and leaves no subscription behind', async () => {
  const { stripe } = await openStripe();
  const session = await openCheckout(stripe);
  const declined = await pay(session.url, { number: '4000000000000002' });
  expect(await declined.text()).toContain('Your card was declined.');
  expect(await (await pay(session.url, { number: '1234"><script>' })).text()).toContain(
    'Your card number is incorrect.',
  );
  expect((await stripe.subscriptions.list({ status: 'all' })).data).toEqual([]);
  expect((await stripe.checkout.sessions.retrieve(session.id)).status).toBe('open');
});

it('asks for 3-D Secure on a page of its own', async () => {
  const { stripe } = await openStripe();
  const session = await openCheckout(stripe);
  const number = '4000002760003184';
  expect(await (await pay(session.url, { number })).text()).toContain('Complete authentication');
  const failed = await pay(session.url, { number, authentication: 'failed' });
  expect(await failed.text()).toContain('authenticate your card');
  expect((await stripe.subscriptions.list({ status: 'all' })).data).toEqual([]);
  expect((await pay(session.url, { number, authentication: 'passed' })).status).toBe(303);
  expect((await stripe.checkout.sessions.retrieve(session.id)).status).toBe('complete');
});

it('sells a pack once, with an invoice', async () => {
  const { stripe } = await openStripe();
  const { id: product } = await stripe.products.create({ name: '500 images' });
  const price = await stripe.prices.create({ currency: 'usd', unit_amount: 2_500, product });
  const { id: customer } = await stripe.customers.create({});
  const coupon = await stripe.coupons.create({ percent_off: 20 });
  const session = await stripe.checkout.sessions.create({
    mode: 'payment',
    customer,
    line_items: [{ price: price.id, quantity: 1 }],
    ...urls,
    invoice_creation: { enabled: true, invoice_data: { metadata: { call: '2' } } },
    payment_intent_data: { metadata: { call: '2' } },
    discounts: [{ coupon: coupon.id }],
  });
  expect(session).toMatchObject({
    amount_subtotal: 2_500,
    amount_total: 2_000,
    total_details: { amount_discount: 500 },
  });
  await pay(session.url, { number: '5555555555554444' });
  const complete = await stripe.checkout.sessions.retrieve(session.id, {
    expand: ['payment_intent', 'invoice.payments'],
  });
  expect(complete).toMatchObject({
    status: 'complete',
    subscription: null,
    payment_intent: { status: 'succeeded', amount: 2_000, metadata: { call: '2' } },
    invoice: {
      status: 'paid',
      billing_reason: 'manual',
      number: expect.stringMatching(/-0001$/),
      parent: null,
      metadata: { call: '2' },
      payments: { data: [{ status: 'paid' }] },
    },
  });
  const { data } = await stripe.invoices.list({ customer });
  expect(data[0]?.lines.data).toMatchObject([
    { description: '1 × 500 images', amount: 2_500, parent: { type: 'invoice_item_details' } },
  ]);
});

it('collects a card also when nothing is due', async () => {
  const { stripe } = await openStripe();
  const coupon = await stripe.coupons.create({ percent_off: 100 });
  const session = await openCheckout(stripe, { discounts: [{ coupon: coupon.id }] });
  expect(session).toMatchObject({ amount_total: 0, payment_status: 'no_payment_required' });
  await pay(session.url, { number: '4242424242424242' });
  const complete = await stripe.checkout.sessions.retrieve(session.id, {
    expand: ['subscription.default_payment_method'],
  });
  expect(complete).toMatchObject({
    payment_status: 'no_payment_required',
    subscription: { status: 'active', default_payment_method: { card: { last4: '4242' } } },
  });
});

it('expires at its time, or when asked to', async () => {
  const { double, stripe } = await openStripe();
  const { id: customer } = await stripe.customers.create({});
  const first = await openCheckout(stripe, { customer });
  const second = await openCheckout(stripe, { customer });
  expect(await stripe.checkout.sessions.expire(first.id)).toMatchObject({ status: 'expired', url: null });
  expect((await fetch(String(first.url))).status).toBe(410);
  await advance(double.url, customer, 1);
  const { data } = await stripe.checkout.sessions.list({ customer });
  expect(data.map(({ id, status }) => [id, status])).toEqual([
    [second.id, 'expired'],
    [first.id, 'expired'],
  ]);
  const tooLate = openCheckout(stripe, { expires_at: Math.floor(Date.now() / 1_000) + 25 * 3600 });
  expect(await errorOf(tooLate)).toMatchObject({ param: 'expires_at' });
});
