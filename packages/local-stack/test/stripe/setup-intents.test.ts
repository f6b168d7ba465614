import { expect, it } from 'vitest';
import { errorOf, openStripe } from './helpers.ts';

it('saves a card to the customer', async () => {
  const { stripe } = await openStripe();
  const { id: customer } = await stripe.customers.create({});
  const intent = await stripe.setupIntents.create({ customer, usage: 'off_session', metadata: { call: '1' } });
  expect(intent).toMatchObject({ status: 'requires_payment_method', metadata: { call: '1' } });
  expect(intent.client_secret).toMatch(/^seti_.*_secret_/);
  const saved = await stripe.setupIntents.confirm(intent.id, { payment_method: 'pm_card_visa' });
  expect(saved.status).toBe('succeeded');
  const methods = await stripe.customers.listPaymentMethods(customer);
  expect(methods.data.map(({ id }) => id)).toEqual([saved.payment_method]);
  expect((await stripe.setupIntents.retrieve(intent.id)).status).toBe('succeeded');
  expect(await errorOf(stripe.setupIntents.confirm(intent.id, { payment_method: 'pm_card_visa' }))).toMatchObject({
    code: 'setup_intent_unexpected_state',
  });
});

it('keeps the error of a card that is declined, and takes another one', async () => {
  const { stripe } = await openStripe();
  const { id: customer } = await stripe.customers.create({});
  const intent = await stripe.setupIntents.create({ customer });
  expect(await errorOf(stripe.setupIntents.confirm(intent.id))).toMatchObject({
    code: 'setup_intent_unexpected_state',
  });
  const declined = stripe.setupIntents.confirm(intent.id, { payment_method: 'pm_card_chargeDeclined' });
  expect(await errorOf(declined)).toMatchObject({
    statusCode: 402,
    code: 'card_declined',
    setup_intent: { id: intent.id },
  });
  expect(await stripe.setupIntents.retrieve(intent.id)).toMatchObject({
    status: 'requires_payment_method',
    last_setup_error: { code: 'card_declined' },
  });
  const saved = await stripe.setupIntents.confirm(intent.id, { payment_method: 'pm_card_mastercard' });
  expect(saved.status).toBe('succeeded');
});

it('asks for 3-D Secure, which the customer fails and then passes', async () => {
  const { double, stripe } = await openStripe();
  const { id: customer } = await stripe.customers.create({});
  const intent = await stripe.setupIntents.create({ customer });
  const authenticate = (isPassed: boolean) =>
    fetch(`${double.url}/_control/setup_intents/${intent.id}/authenticate`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ isPassed }),
    });
  const method = { payment_method: 'pm_card_authenticationRequiredOnSetup' };
  expect((await stripe.setupIntents.confirm(intent.id, method)).status).toBe('requires_action');
  expect((await authenticate(false)).status).toBe(200);
  expect(await stripe.setupIntents.retrieve(intent.id)).toMatchObject({
    status: 'requires_payment_method',
    last_setup_error: { code: 'setup_intent_authentication_failure' },
  });
  await stripe.setupIntents.confirm(intent.id, method);
  await authenticate(true);
  const saved = await stripe.setupIntents.retrieve(intent.id, { expand: ['payment_method'] });
  expect(saved).toMatchObject({ status: 'succeeded', payment_method: { customer } });
  expect((await authenticate(true)).status).toBe(400);
});
