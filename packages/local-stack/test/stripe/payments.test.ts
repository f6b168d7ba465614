import { expect, it } from 'vitest';
import { errorOf, openStripe } from './helpers.ts';

const payment = { amount: 700, currency: 'usd', confirm: true } as const;

it('charges a card, and reports the charge and the payment', async () => {
  const { stripe } = await openStripe();
  const customer = await stripe.customers.create({ name: 'Ada' });
  const intent = await stripe.paymentIntents.create({
    ...payment,
    customer: customer.id,
    payment_method: 'pm_card_visa',
    expand: ['latest_charge', 'payment_method'],
  });
  expect(intent).toMatchObject({ status: 'succeeded', amount_received: 700 });
  expect(intent.payment_method).toMatchObject({ card: { brand: 'visa', last4: '4242' } });
  expect(intent.latest_charge).toMatchObject({ amount: 700, paid: true, payment_intent: intent.id });
  const events = await stripe.events.list();
  expect(events.data.map(({ type }) => type).slice(0, 3)).toEqual([
    'payment_intent.succeeded',
    'charge.succeeded',
    'payment_intent.created',
  ]);
  expect(await errorOf(stripe.paymentIntents.cancel(intent.id))).toMatchObject({
    code: 'payment_intent_unexpected_state',
  });
});

it('declines a card with 402, keeps the failed charge, and succeeds with another card', async () => {
  const { stripe } = await openStripe();
  const declined = await errorOf(
    stripe.paymentIntents.create({ ...payment, payment_method: 'pm_card_visa_chargeDeclinedInsufficientFunds' }),
  );
  expect(declined).toMatchObject({
    type: 'StripeCardError',
    statusCode: 402,
    code: 'card_declined',
    decline_code: 'insufficient_funds',
    payment_intent: { status: 'requires_payment_method', last_payment_error: { code: 'card_declined' } },
  });
  const charges = await stripe.charges.list();
  expect(charges.data).toMatchObject([{ status: 'failed', paid: false, failure_code: 'card_declined' }]);
  const paid = await stripe.paymentIntents.confirm(declined.payment_intent?.id ?? '', {
    payment_method: 'pm_card_mastercard',
  });
  expect(paid).toMatchObject({ status: 'succeeded', last_payment_error: null });
});

it('replays a decline under its key without a second charge', async () => {
  const { stripe } = await openStripe();
  const pay = () =>
    errorOf(
      stripe.paymentIntents.create(
        { ...payment, payment_method: 'pm_card_visa_chargeDeclined' },
        { idempotencyKey: 'k' },
      ),
    );
  await pay();
  expect(await pay()).toMatchObject({ statusCode: 402, headers: { 'idempotent-replayed': 'true' } });
  expect((await stripe.charges.list()).data).toHaveLength(1);
});

it('asks for 3-D Secure on session, and declines off session', async () => {
  const { double, stripe } = await openStripe();
  const method = { payment_method: 'pm_card_authenticationRequired' };
  const waiting = await stripe.paymentIntents.create({ ...payment, ...method });
  expect(waiting).toMatchObject({ status: 'requires_action', next_action: { type: 'use_stripe_sdk' } });
  const offSession = await errorOf(stripe.paymentIntents.create({ ...payment, ...method, off_session: true }));
  expect(offSession).toMatchObject({ statusCode: 402, code: 'authentication_required' });
  const authenticate = (id: string, isPassed: boolean) =>
    fetch(`${double.url}/_control/payment_intents/${id}/authenticate`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ isPassed }),
    });
  expect((await authenticate(waiting.id, true)).status).toBe(200);
  expect(await stripe.paymentIntents.retrieve(waiting.id)).toMatchObject({ status: 'succeeded' });
  const failing = await stripe.paymentIntents.create({ ...payment, ...method });
  await authenticate(failing.id, false);
  expect(await stripe.paymentIntents.retrieve(failing.id)).toMatchObject({
    status: 'requires_payment_method',
    last_payment_error: { code: 'payment_intent_authentication_failure' },
  });
});

it('saves a card to a customer, makes it the default, and detaches it', async () => {
  const { stripe } = await openStripe();
  const { id: customer } = await stripe.customers.create({ name: 'Ada' });
  const card = await stripe.paymentMethods.attach('pm_card_visa', { customer });
  await stripe.customers.update(customer, { invoice_settings: { default_payment_method: card.id } });
  const listed = await stripe.paymentMethods.list({ customer, type: 'card' });
  expect(listed.data.map(({ id }) => id)).toEqual([card.id]);
  expect(await errorOf(stripe.paymentMethods.attach('pm_card_visa_chargeDeclined', { customer }))).toMatchObject({
    code: 'card_declined',
  });
  await stripe.paymentMethods.detach(card.id);
  const after = await stripe.customers.retrieve(customer);
  expect(after).toMatchObject({ invoice_settings: { default_payment_method: null } });
  expect(
    await errorOf(stripe.paymentMethods.create({ type: 'card', card: { number: '4111111111111111' } })),
  ).toMatchObject({ code: 'incorrect_number' });
});

it('refuses amounts below 50 cents, and unknown payment methods', async () => {
  const { stripe } = await openStripe();
  expect(await errorOf(stripe.paymentIntents.create({ ...payment, amount: 49 }))).toMatchObject({
    code: 'amount_too_small',
  });
  expect(await errorOf(stripe.paymentIntents.create({ ...payment, payment_method: 'pm_none' }))).toMatchObject({
    code: 'resource_missing',
    param: 'payment_method',
  });
});
