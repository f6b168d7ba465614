import type Stripe from 'stripe';
import { expect, it } from 'vitest';
import { advance, control, createPrices, intentOf, invoiceOf, startSubscription } from './billing-fixtures.ts';
import { errorOf, openStripe } from './helpers.ts';

const returnUrl = 'http://localhost:4000/dashboard?from=paypal';

/** Confirms the first payment of a subscription with PayPal. */
async function startWithPaypal(stripe: Stripe) {
  const prices = await createPrices(stripe);
  const subscription = await startSubscription(stripe, { price: prices.starter });
  const id = await intentOf(stripe, invoiceOf(subscription).id);
  const method = await stripe.paymentMethods.create({ type: 'paypal' });
  const intent = await stripe.paymentIntents.confirm(id, { payment_method: method.id, return_url: returnUrl });
  return { subscription, intent, page: String(intent.next_action?.redirect_to_url?.url) };
}

const answer = (page: string, authentication: 'passed' | 'failed') =>
  fetch(page, { method: 'POST', body: new URLSearchParams({ authentication }), redirect: 'manual' });

it('leads to a page that pays with PayPal and returns, and later collects renewals without it', async () => {
  const { double, stripe } = await openStripe();
  const { subscription, intent, page } = await startWithPaypal(stripe);
  expect(intent).toMatchObject({ status: 'requires_action', payment_method_types: ['card', 'paypal'] });
  expect(await (await fetch(page)).text()).toMatch(/Local test mode: no real money.*Pay \$7\.00 with PayPal/s);
  const paid = await answer(page, 'passed');
  expect(paid.status).toBe(303);
  expect(Object.fromEntries(new URL(String(paid.headers.get('location'))).searchParams)).toEqual({
    from: 'paypal',
    payment_intent: intent.id,
    payment_intent_client_secret: intent.client_secret,
    redirect_status: 'succeeded',
  });
  const expand = ['default_payment_method'];
  const active = await stripe.subscriptions.retrieve(subscription.id, { expand });
  expect(active).toMatchObject({ status: 'active', default_payment_method: { type: 'paypal' } });
  await advance(double.url, subscription.customer, 'period_end');
  await advance(double.url, subscription.customer, 1);
  const charges = await stripe.charges.list({ customer: String(subscription.customer) });
  expect(charges.data.map(({ paid, payment_method_details: details }) => [paid, details?.type])).toEqual([
    [true, 'paypal'],
    [true, 'paypal'],
  ]);
  expect((await answer(page, 'passed')).status).toBe(410);
});

it('returns with a failed payment that can be tried again', async () => {
  const { stripe } = await openStripe();
  const { intent, page } = await startWithPaypal(stripe);
  const failed = await answer(page, 'failed');
  expect(failed.headers.get('location')).toContain('redirect_status=failed');
  expect(await stripe.paymentIntents.retrieve(intent.id)).toMatchObject({
    status: 'requires_payment_method',
    last_payment_error: { code: 'payment_intent_authentication_failure' },
  });
  const paid = await stripe.paymentIntents.confirm(intent.id, { payment_method: 'pm_card_visa' });
  expect(paid.status).toBe('succeeded');
});

it('saves PayPal for later, and requires a URL to return to', async () => {
  const { stripe } = await openStripe();
  const customer = (await stripe.customers.create({})).id;
  const { id } = await stripe.setupIntents.create({ customer });
  const payment_method = (await stripe.paymentMethods.create({ type: 'paypal' })).id;
  expect(await errorOf(stripe.setupIntents.confirm(id, { payment_method }))).toMatchObject({ param: 'return_url' });
  const waiting = await stripe.setupIntents.confirm(id, { payment_method, return_url: returnUrl });
  const done = await answer(String(waiting.next_action?.redirect_to_url?.url), 'passed');
  expect(done.headers.get('location')).toContain(`setup_intent=${id}`);
  expect((await stripe.paymentMethods.list({ customer, type: 'paypal' })).data).toHaveLength(1);
});

it('pays a Checkout session with PayPal', async () => {
  const { stripe } = await openStripe();
  const { starter } = await createPrices(stripe);
  const { id, url } = await stripe.checkout.sessions.create({
    mode: 'subscription',
    customer: (await stripe.customers.create({})).id,
    line_items: [{ price: starter, quantity: 1 }],
    success_url: 'http://localhost:4000/dashboard',
    subscription_data: { billing_mode: { type: 'flexible' } },
  });
  const send = (fields: Record<string, string>) =>
    fetch(String(url), { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' });
  expect(await (await send({})).text()).toContain('PayPal asks for your consent.');
  expect((await send({ authentication: 'passed' })).status).toBe(303);
  expect(await stripe.checkout.sessions.retrieve(id)).toMatchObject({ status: 'complete', payment_status: 'paid' });
});

it('can be turned off', async () => {
  const { double, stripe } = await openStripe();
  const read = async () => (await stripe.paymentMethodConfigurations.list()).data[0]?.paypal;
  expect(await read()).toMatchObject({ available: true, display_preference: { value: 'on' } });
  await control(`${double.url}/_control/payment_methods`, { paypal: 'off' });
  expect(await read()).toMatchObject({ available: false, display_preference: { value: 'off' } });
  expect((await stripe.setupIntents.create({})).payment_method_types).toEqual(['card']);
  expect(await errorOf(stripe.paymentMethods.create({ type: 'paypal' }))).toMatchObject({ param: 'type' });
});
