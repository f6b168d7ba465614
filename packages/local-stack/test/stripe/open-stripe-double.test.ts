import { expect, it, vi } from 'vitest';
import { apiVersion } from '../../src/stripe/wire.ts';
import { connect, errorOf, keys, makeStripeFolder, openStripe } from './helpers.ts';

const monthly = { currency: 'usd', unit_amount: 700, recurring: { interval: 'month' } } as const;

it('returns 401 for a wrong key, a missing key, and a publishable key', async () => {
  const { double } = await openStripe();
  const wrong = await errorOf(connect(double, { secretKey: 'sk_test_12345678' }).account.retrieveCurrent());
  expect(wrong).toMatchObject({ statusCode: 401, message: 'Invalid API Key provided: sk_test_****5678' });
  const publishable = await errorOf(connect(double, { secretKey: keys.publishableKey }).account.retrieveCurrent());
  expect(publishable).toMatchObject({ statusCode: 401, code: 'secret_key_required' });
  expect((await fetch(`${double.url}/v1/account`)).status).toBe(401);
});

it('accepts the API version of the SDK only, and reports it with a request ID', async () => {
  const { double } = await openStripe();
  const get = (version: string) =>
    fetch(`${double.url}/v1/account`, {
      headers: { authorization: `Bearer ${keys.secretKey}`, 'stripe-version': version },
    });
  const accepted = await get(apiVersion);
  expect(accepted.status).toBe(200);
  expect(accepted.headers.get('stripe-version')).toBe(apiVersion);
  expect(accepted.headers.get('request-id')).toMatch(/^req_/);
  expect((await get('2024-06-20')).status).toBe(400);
});

it('refuses other hosts than loopback, unknown URLs, and unknown control calls', async () => {
  const { double, stripe } = await openStripe();
  expect(await errorOf(stripe.rawRequest('GET', '/v1/unicorns'))).toMatchObject({
    statusCode: 404,
    message: 'Unrecognized request URL (GET: /v1/unicorns).',
  });
  const control = await fetch(`${double.url}/_control/failures`, { method: 'POST', body: '{}' });
  expect(control.status).toBeGreaterThanOrEqual(400);
});

it('returns 400 for unknown, missing, empty, and wrong parameters, and names them', async () => {
  const { stripe } = await openStripe();
  const post = (path: string, params: object) => errorOf(stripe.rawRequest('POST', path, { ...params }));
  expect(await post('/v1/customers', { mail: 'ada@example.test' })).toMatchObject({
    statusCode: 400,
    type: 'StripeInvalidRequestError',
    code: 'parameter_unknown',
    param: 'mail',
    message: 'Received unknown parameter: mail',
  });
  expect(await post('/v1/prices', { ...monthly, recurring: { interval: 'month', size: 2 } })).toMatchObject({
    code: 'parameter_unknown',
    param: 'recurring[size]',
  });
  expect(await post('/v1/products', {})).toMatchObject({ code: 'parameter_missing', param: 'name' });
  expect(await post('/v1/prices', { ...monthly, unit_amount: 'x' })).toMatchObject({
    code: 'parameter_invalid_integer',
    param: 'unit_amount',
  });
  expect(await post('/v1/prices', { ...monthly, recurring: { interval: 'fortnight' } })).toMatchObject({
    param: 'recurring[interval]',
    message: 'Invalid recurring[interval]: must be one of day, month, week, year',
  });
  expect(await post('/v1/customers', { shipping: { name: 'Ada', address: { line1: '1 Main St' } } })).toMatchObject({
    code: 'not_served_by_double',
    param: 'shipping',
  });
});

it('returns resource_missing for unknown objects', async () => {
  const { stripe } = await openStripe();
  expect(await errorOf(stripe.customers.retrieve('cus_none'))).toMatchObject({
    statusCode: 404,
    code: 'resource_missing',
    message: "No such customer: 'cus_none'",
  });
  expect(await errorOf(stripe.prices.create({ ...monthly, product: 'none' }))).toMatchObject({
    statusCode: 400,
    code: 'resource_missing',
    param: 'product',
  });
});

it('lists newest first, with cursors in both directions', async () => {
  const { stripe } = await openStripe();
  for (const name of ['a', 'b', 'c', 'd', 'e']) await stripe.customers.create({ name });
  const first = await stripe.customers.list({ limit: 2 });
  expect(first.data.map(({ name }) => name)).toEqual(['e', 'd']);
  expect(first).toMatchObject({ object: 'list', has_more: true, url: '/v1/customers' });
  const second = await stripe.customers.list({ limit: 2, starting_after: first.data[1]?.id ?? '' });
  expect(second.data.map(({ name }) => name)).toEqual(['c', 'b']);
  const back = await stripe.customers.list({ limit: 2, ending_before: second.data[0]?.id ?? '' });
  expect(back.data.map(({ name }) => name)).toEqual(['e', 'd']);
  const all = await stripe.customers.list({ limit: 2 }).autoPagingToArray({ limit: 100 });
  expect(all).toHaveLength(5);
  expect(await errorOf(stripe.customers.list({ limit: 101 }))).toMatchObject({ param: 'limit' });
  expect(await errorOf(stripe.customers.list({ starting_after: 'cus_none' }))).toMatchObject({
    code: 'resource_missing',
    param: 'starting_after',
  });
});

it('expands fields of objects and of lists, and refuses fields that are no reference', async () => {
  const { stripe } = await openStripe();
  await stripe.products.create({ id: 'uprez_pro', name: 'Pro' });
  const price = await stripe.prices.create({ ...monthly, product: 'uprez_pro', expand: ['product'] });
  expect(price.product).toMatchObject({ object: 'product', name: 'Pro' });
  expect((await stripe.prices.retrieve(price.id)).product).toBe('uprez_pro');
  const list = await stripe.prices.list({ expand: ['data.product'] });
  expect(list.data[0]?.product).toMatchObject({ name: 'Pro' });
  expect(await errorOf(stripe.prices.list({ expand: ['data.size'] }))).toMatchObject({ statusCode: 400 });
  expect(await errorOf(stripe.prices.retrieve(price.id, { expand: ['a.b.c.d.e'] }))).toMatchObject({
    message: 'You cannot expand more than 4 levels of a property. Property: a.b.c.d.e',
  });
});

it('replays the reply to a key, and refuses the key for other parameters', async () => {
  const { stripe } = await openStripe();
  const first = await stripe.customers.create({ name: 'Ada' }, { idempotencyKey: 'k' });
  const again = await stripe.customers.create({ name: 'Ada' }, { idempotencyKey: 'k' });
  expect(again.id).toBe(first.id);
  expect(again.lastResponse.headers['idempotent-replayed']).toBe('true');
  expect((await stripe.customers.list()).data).toHaveLength(1);
  expect(await errorOf(stripe.customers.create({ name: 'Bob' }, { idempotencyKey: 'k' }))).toMatchObject({
    statusCode: 400,
    type: 'StripeIdempotencyError',
  });
});

it('does not store the error of invalid parameters under the key', async () => {
  const { stripe } = await openStripe();
  await errorOf(stripe.rawRequest('POST', '/v1/products', {}, { idempotencyKey: 'k' }));
  expect(await stripe.products.create({ name: 'Pro' }, { idempotencyKey: 'k' })).toMatchObject({ name: 'Pro' });
});

it('replays a 500, before and after the effect', async () => {
  const { double, stripe } = await openStripe();
  for (const when of ['before', 'after'] as const) {
    double.failures.add({ when, kind: 'error' });
    const create = () => errorOf(stripe.customers.create({ name: when }, { idempotencyKey: when }));
    expect(await create()).toMatchObject({ statusCode: 500, type: 'StripeAPIError' });
    expect(await create()).toMatchObject({ statusCode: 500, headers: { 'idempotent-replayed': 'true' } });
  }
  expect((await stripe.customers.list()).data.map(({ name }) => name)).toEqual(['after']);
});

it('keeps the effect when the reply is lost, so that the same key returns it', async () => {
  const { double, stripe } = await openStripe();
  double.failures.add({ when: 'after', kind: 'hang' });
  const impatient = connect(double, { timeout: 300 });
  const lost = await errorOf(impatient.customers.create({ name: 'Ada' }, { idempotencyKey: 'k' }));
  expect(lost.type).toBe('StripeConnectionError');
  expect(await stripe.customers.create({ name: 'Ada' }, { idempotencyKey: 'k' })).toMatchObject({ name: 'Ada' });
  expect((await stripe.customers.list()).data).toHaveLength(1);
});

it('returns 409 while a request with the same key is in progress', async () => {
  const { double, stripe } = await openStripe();
  double.failures.add({ when: 'before', kind: 'hang' });
  const impatient = connect(double, { timeout: 2_000 });
  const waiting = errorOf(impatient.customers.create({ name: 'Ada' }, { idempotencyKey: 'k' }));
  const create = () => stripe.customers.create({ name: 'Ada' }, { idempotencyKey: 'k' });
  await vi.waitFor(() => expect(double.failures.list()).toEqual([]));
  expect(await errorOf(create())).toMatchObject({ statusCode: 409, code: 'idempotency_key_in_use' });
  await waiting;
  await vi.waitFor(create, { timeout: 5_000 });
});

it('returns 429 without an effect, and resets connections', async () => {
  const { double, stripe } = await openStripe();
  double.failures.add({ when: 'before', kind: 'rate_limit', method: 'POST', path: '/v1/customers' });
  expect(await errorOf(stripe.customers.create({ name: 'Ada' }, { idempotencyKey: 'k' }))).toMatchObject({
    statusCode: 429,
    code: 'rate_limit',
  });
  await stripe.customers.create({ name: 'Ada' }, { idempotencyKey: 'k' });
  double.failures.add({ when: 'before', kind: 'reset', method: 'GET', times: 2 });
  expect((await errorOf(stripe.customers.list())).type).toBe('StripeConnectionError');
});

it('sets and clears failures through control calls', async () => {
  const { double, stripe } = await openStripe();
  const url = `${double.url}/_control/failures`;
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ when: 'before', kind: 'error', times: 5 });
  expect((await fetch(url, { method: 'POST', headers, body })).status).toBe(200);
  expect(await errorOf(stripe.account.retrieveCurrent())).toMatchObject({ statusCode: 500 });
  expect((await fetch(url, { method: 'DELETE' })).status).toBe(200);
  expect(await stripe.account.retrieveCurrent()).toMatchObject({ object: 'account' });
  expect((await fetch(url, { method: 'POST', headers, body: '{"when":"never"}' })).status).toBe(400);
});

it('keeps objects, events, and replies across restarts', async () => {
  const dataDir = makeStripeFolder();
  const first = await openStripe({ dataDir });
  const ada = await first.stripe.customers.create({ name: 'Ada' }, { idempotencyKey: 'k' });
  await first.stripe.customers.update(ada.id, { metadata: { tier: 'pro' } });
  await first.double.close();
  const { stripe } = await openStripe({ dataDir });
  expect(await stripe.customers.retrieve(ada.id)).toMatchObject({ name: 'Ada', metadata: { tier: 'pro' } });
  expect((await stripe.customers.create({ name: 'Ada' }, { idempotencyKey: 'k' })).id).toBe(ada.id);
  expect((await stripe.events.list()).data.map(({ type }) => type)).toEqual(['customer.updated', 'customer.created']);
});
