import { expect, it } from 'vitest';
import { createPrices, eventTypes, intentOf, invoiceOf, startSubscription, subscribe } from './billing-fixtures.ts';
import { errorOf, openStripe } from './helpers.ts';

it('creates an incomplete subscription with an open invoice and its client secret', async () => {
  const now = Date.UTC(2027, 0, 31) / 1_000;
  const { stripe } = await openStripe({ now: () => now });
  const { starter } = await createPrices(stripe);
  const started = await startSubscription(stripe, { price: starter });
  expect(started).toMatchObject({ status: 'incomplete', billing_cycle_anchor: now, pending_setup_intent: null });
  expect(started.items.data[0]).toMatchObject({
    current_period_start: now,
    current_period_end: Date.UTC(2027, 1, 28) / 1_000,
  });
  const invoice = invoiceOf(started);
  expect(invoice).toMatchObject({
    status: 'open',
    billing_reason: 'subscription_create',
    amount_due: 700,
    number: expect.stringMatching(/-0001$/),
    confirmation_secret: { client_secret: expect.stringMatching(/^pi_.*_secret_/) },
    payments: { data: [{ status: 'open', amount_requested: 700 }] },
    parent: { subscription_details: { subscription: started.id, metadata: { account: '1' } } },
  });
  expect(invoice.lines.data).toMatchObject([
    { amount: 700, description: '1 × Starter (at $7.00 / month)', pricing: { price_details: { price: starter } } },
  ]);
});

it('becomes active when the first invoice is paid, and keeps the card', async () => {
  const { stripe } = await openStripe();
  const { starter } = await createPrices(stripe);
  const started = await startSubscription(stripe, { price: starter });
  const intent = await intentOf(stripe, invoiceOf(started).id);
  const before = (await eventTypes(stripe)).length;
  const declined = stripe.paymentIntents.confirm(intent, { payment_method: 'pm_card_chargeDeclined' });
  expect(await errorOf(declined)).toMatchObject({ code: 'card_declined' });
  expect(await stripe.invoices.retrieve(invoiceOf(started).id)).toMatchObject({ status: 'open', attempt_count: 1 });
  const paid = await stripe.paymentIntents.confirm(intent, { payment_method: 'pm_card_visa' });
  const active = await stripe.subscriptions.retrieve(started.id, {
    expand: ['latest_invoice', 'default_payment_method'],
  });
  expect(active).toMatchObject({
    status: 'active',
    default_payment_method: { id: paid.payment_method, card: { last4: '4242' } },
    latest_invoice: { status: 'paid', amount_paid: 700, amount_remaining: 0, attempt_count: 1 },
  });
  expect(await eventTypes(stripe, before)).toEqual([
    'charge.failed',
    'payment_intent.payment_failed',
    'invoice.updated',
    'invoice.payment_failed',
    'charge.succeeded',
    'payment_method.attached',
    'payment_intent.succeeded',
    'invoice_payment.paid',
    'invoice.updated',
    'invoice.paid',
    'invoice.payment_succeeded',
    'customer.subscription.updated',
  ]);
  const events = await stripe.events.list({ type: 'customer.subscription.updated' });
  expect(events.data[0]?.data).toMatchObject({
    object: { status: 'active' },
    previous_attributes: { status: 'incomplete', default_payment_method: null },
  });
});

it('finishes 3-D Secure of the first payment', async () => {
  const { double, stripe } = await openStripe();
  const { starter } = await createPrices(stripe);
  const started = await startSubscription(stripe, { price: starter });
  const intent = await intentOf(stripe, invoiceOf(started).id);
  await stripe.paymentIntents.confirm(intent, { payment_method: 'pm_card_authenticationRequiredOnSetup' });
  expect((await stripe.subscriptions.retrieve(started.id)).status).toBe('incomplete');
  await fetch(`${double.url}/_control/payment_intents/${intent}/authenticate`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ isPassed: true }),
  });
  expect((await stripe.subscriptions.retrieve(started.id)).status).toBe('active');
});

it('is active at once when a coupon takes off everything, and asks for a card', async () => {
  const { stripe } = await openStripe();
  const { starter } = await createPrices(stripe);
  const coupon = await stripe.coupons.create({ percent_off: 100 });
  const free = await startSubscription(stripe, { price: starter, discounts: [{ coupon: coupon.id }] });
  expect(free).toMatchObject({ status: 'active', latest_invoice: { status: 'paid', total: 0, subtotal: 700 } });
  const { pending_setup_intent: setup } = free;
  if (!setup || typeof setup === 'string') throw new Error('pending_setup_intent is not expanded');
  const saved = await stripe.setupIntents.confirm(setup.id, { payment_method: 'pm_card_visa' });
  expect(await stripe.subscriptions.retrieve(free.id)).toMatchObject({
    default_payment_method: saved.payment_method,
    pending_setup_intent: null,
  });
});

it('cancels at the end of the period, and takes that back', async () => {
  const { stripe } = await openStripe();
  const { starter } = await createPrices(stripe);
  const { id, items } = await subscribe(stripe, { price: starter });
  const canceled = await stripe.subscriptions.update(id, {
    cancel_at_period_end: true,
    cancellation_details: { feedback: 'too_expensive', comment: 'Later' },
  });
  expect(canceled).toMatchObject({
    status: 'active',
    cancel_at: items.data[0]?.current_period_end,
    cancellation_details: { feedback: 'too_expensive', comment: 'Later', reason: 'cancellation_requested' },
  });
  const kept = await stripe.subscriptions.update(id, {
    cancel_at_period_end: false,
    cancellation_details: { feedback: '', comment: '' },
  });
  expect(kept).toMatchObject({
    cancel_at: null,
    canceled_at: null,
    cancellation_details: { feedback: null, comment: null, reason: null },
  });
});

it('cancels at once, and is not found afterwards', async () => {
  const { stripe } = await openStripe();
  const { starter } = await createPrices(stripe);
  const { id, customer } = await subscribe(stripe, { price: starter });
  const canceled = await stripe.subscriptions.cancel(id, { invoice_now: false, prorate: false });
  expect(canceled).toMatchObject({ status: 'canceled', ended_at: expect.any(Number) });
  expect(await errorOf(stripe.subscriptions.cancel(id))).toMatchObject({ statusCode: 404 });
  expect(await errorOf(stripe.subscriptions.update(id, { cancel_at_period_end: true }))).toMatchObject({
    statusCode: 400,
  });
  expect((await stripe.subscriptions.list({ customer: String(customer) })).data).toEqual([]);
  const all = await stripe.subscriptions.list({
    status: 'all',
    expand: ['data.discounts', 'data.default_payment_method'],
  });
  expect(all.data).toMatchObject([{ id, status: 'canceled', default_payment_method: { object: 'payment_method' } }]);
});

it('ends an incomplete subscription with its invoice, and all of a deleted customer', async () => {
  const { stripe } = await openStripe();
  const { starter } = await createPrices(stripe);
  const started = await startSubscription(stripe, { price: starter });
  expect(await stripe.subscriptions.cancel(started.id)).toMatchObject({ status: 'incomplete_expired' });
  expect(await stripe.invoices.retrieve(invoiceOf(started).id)).toMatchObject({ status: 'void' });
  const intent = await intentOf(stripe, invoiceOf(started).id);
  expect((await stripe.paymentIntents.retrieve(intent)).status).toBe('canceled');
  const active = await subscribe(stripe, { price: starter });
  await stripe.customers.del(String(active.customer));
  expect((await stripe.subscriptions.retrieve(active.id)).status).toBe('canceled');
});

it('pauses until a time, sets metadata and a card of the customer only', async () => {
  const { stripe } = await openStripe();
  const { starter } = await createPrices(stripe);
  const { id, customer } = await subscribe(stripe, { price: starter });
  const later = Math.floor(Date.now() / 1_000) + 3600;
  const pause = (resumesAt: number) =>
    stripe.subscriptions.update(id, { pause_collection: { behavior: 'void', resumes_at: resumesAt } });
  expect(await pause(later)).toMatchObject({ status: 'active', pause_collection: { resumes_at: later } });
  expect(await errorOf(pause(1))).toMatchObject({ param: 'pause_collection[resumes_at]' });
  expect(await stripe.subscriptions.update(id, { pause_collection: '' })).toMatchObject({ pause_collection: null });
  expect(await stripe.subscriptions.update(id, { metadata: { account: '2' } })).toMatchObject({
    metadata: { account: '2' },
  });
  const other = await stripe.paymentMethods.create({
    type: 'card',
    card: { number: '4242424242424242', exp_month: 1, exp_year: 2040 },
  });
  expect(await errorOf(stripe.subscriptions.update(id, { default_payment_method: other.id }))).toMatchObject({
    code: 'resource_missing',
    param: 'default_payment_method',
  });
  await stripe.paymentMethods.attach(other.id, { customer: String(customer) });
  await stripe.subscriptions.update(id, { default_payment_method: other.id });
});

it('refuses one-time and inactive prices, and parameters that the double does not serve', async () => {
  const { stripe } = await openStripe();
  const { starter } = await createPrices(stripe);
  const { id: product } = await stripe.products.create({ name: 'Pack' });
  const pack = await stripe.prices.create({ currency: 'usd', unit_amount: 500, product });
  expect(await errorOf(startSubscription(stripe, { price: pack.id }))).toMatchObject({ param: 'items[0][price]' });
  await stripe.prices.update(starter, { active: false });
  expect(await errorOf(startSubscription(stripe, { price: starter }))).toMatchObject({ param: 'items[0][price]' });
  const { id: customer } = await stripe.customers.create({});
  const refused = stripe.subscriptions.create({ customer, items: [{ price: starter }] });
  expect(await errorOf(refused)).toMatchObject({ code: 'not_served_by_double', param: 'payment_behavior' });
});
