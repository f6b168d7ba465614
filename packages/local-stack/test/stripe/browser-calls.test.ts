import { expect, it } from 'vitest';
import { keys, openStripe } from './helpers.ts';

const key = keys.publishableKey;

/** Opens a double, with a function that calls it as a browser does. */
async function open() {
  const { double, stripe } = await openStripe();
  const call = async (method: 'GET' | 'POST', path: string, fields: Record<string, string>) => {
    const params = new URLSearchParams(fields);
    const response = await (method === 'GET'
      ? fetch(`${double.url}/v1/${path}?${params}`)
      : fetch(`${double.url}/v1/${path}`, { method, body: params }));
    const origin = response.headers.get('access-control-allow-origin');
    return { status: response.status, origin, body: Object(await response.json()) };
  };
  return { double, stripe, call };
}

it('lets a publishable key read and confirm an intent whose client secret it has', async () => {
  const { stripe, call } = await open();
  const { id, client_secret: secret } = await stripe.paymentIntents.create({
    amount: 1_900,
    currency: 'usd',
    metadata: { account: '1' },
  });
  const intent = { key, client_secret: String(secret) };
  const read = await call('GET', `payment_intents/${id}`, intent);
  expect(read).toMatchObject({ status: 200, origin: '*', body: { id, status: 'requires_payment_method' } });
  expect(read.body).not.toHaveProperty('metadata');
  const card = { type: 'card', 'card[number]': '4000000000000002', 'card[exp_month]': '12', 'card[exp_year]': '2030' };
  const method = await call('POST', 'payment_methods', { key, ...card });
  const confirm = { ...intent, payment_method: method.body.id, use_stripe_sdk: 'true' };
  const declined = await call('POST', `payment_intents/${id}/confirm`, confirm);
  expect(declined).toMatchObject({ status: 402, origin: '*', body: { error: { code: 'card_declined' } } });
  expect(declined.body.error.payment_intent).not.toHaveProperty('metadata');
  const paid = await call('POST', `payment_intents/${id}/confirm`, { ...confirm, payment_method: 'pm_card_visa' });
  expect(paid).toMatchObject({ status: 200, body: { status: 'succeeded' } });
});

it('requires the client secret of the intent', async () => {
  const { stripe, call } = await open();
  const { id } = await stripe.setupIntents.create({});
  const other = await stripe.setupIntents.create({});
  const without = await call('GET', `setup_intents/${id}`, { key });
  expect(without).toMatchObject({
    status: 400,
    body: { error: { code: 'parameter_missing', param: 'client_secret' } },
  });
  const wrong = await call('POST', `setup_intents/${id}/confirm`, { key, client_secret: String(other.client_secret) });
  expect(wrong).toMatchObject({ status: 400, body: { error: { code: 'setup_intent_invalid_parameter' } } });
});

it('lets a publishable key call nothing else', async () => {
  const { double, call } = await open();
  expect(await call('POST', 'customers', { key })).toMatchObject({ status: 401, origin: null });
  const headers = { authorization: `Bearer ${key}` };
  const listed = await fetch(`${double.url}/v1/payment_intents`, { headers });
  expect(await listed.json()).toMatchObject({ error: { code: 'secret_key_required' } });
  const unknown = await call('POST', 'payment_methods', { key: 'pk_test_other', type: 'card' });
  expect(unknown).toMatchObject({ status: 401, body: { error: { message: expect.stringContaining('pk_test_') } } });
});

it('serves Stripe.js at the paths where pages look for it, and no unlisted file', async () => {
  const { double } = await open();
  for (const path of ['/stripe.js', '/v3/', '/endive/stripe.js', '/elements/payment-form.js']) {
    const response = await fetch(double.url + path);
    expect([path, response.status]).toEqual([path, 200]);
    expect(response.headers.get('content-type')).toContain('text/javascript');
  }
  expect((await fetch(`${double.url}/elements/stripe.js`)).status).toBe(404);
});

it('ends 3-D Secure in its frame only with the client secret', async () => {
  const { double, stripe } = await open();
  const created = await stripe.paymentIntents.create({ amount: 1_900, currency: 'usd' });
  const { id, client_secret: secret } = await stripe.paymentIntents.confirm(created.id, {
    payment_method: 'pm_card_authenticationRequired',
  });
  const answer = (given: string) =>
    fetch(`${double.url}/3d_secure/${id}?${new URLSearchParams({ client_secret: given })}`, {
      method: 'POST',
      body: new URLSearchParams({ authentication: 'passed' }),
    });
  await answer('wrong');
  expect((await stripe.paymentIntents.retrieve(id)).status).toBe('requires_action');
  expect(await (await answer(String(secret))).text()).toContain('Local test mode: no real money');
  expect((await stripe.paymentIntents.retrieve(id)).status).toBe('succeeded');
});
