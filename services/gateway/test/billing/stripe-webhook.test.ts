import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { signPayload } from '@uprez/local-stack/stripe/events/open-deliverer';
import { openLogger } from '@uprez/runtime/open-logger';
import { fileFixture } from '@uprez/testing/fixtures';
import { makeUser } from '@uprez/testing/make-user';
import { describe, expect, it, onTestFinished } from 'vitest';
import { makeCheckedFetch } from '../support/checked-fetch.ts';
import { startTestGateway } from '../support/start-test-gateway.ts';

const [secret, newSecret] = ['whsec_current', 'whsec_new'];
const keys = {
  STRIPE_SECRET_KEY: 'sk_test_local',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_local',
  STRIPE_WEBHOOK_SECRET: `${secret},${newSecret}`,
};
const gateway = fileFixture(() => startTestGateway(keys));
const send = makeCheckedFetch(fetch);
const nowS = () => Math.floor(Date.now() / 1_000);

/** Makes an event about a customer, as Stripe sends it. */
const makeEvent = (customer: string | null, change: object = {}, object: object = {}) => ({
  id: `evt_${randomUUID()}`,
  object: 'event',
  type: 'customer.subscription.updated',
  created: nowS(),
  livemode: false,
  data: { object: { id: 'sub_1', object: 'subscription', customer, ...object } },
  ...change,
});

type Delivery = { secret?: string; time?: number; signature?: string; url?: string };

async function deliver(event: object, { secret: by = secret, time = nowS(), signature, url }: Delivery = {}) {
  const body = JSON.stringify(event);
  const response = await send(`${url ?? gateway.url}/api/stripe/webhook`, {
    method: 'POST',
    body,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'stripe-signature': signature ?? signPayload(body, { secret: by, time }),
    },
  });
  return { status: response.status, code: response.headers.get('x-error-code'), body: await response.text() };
}

/** Creates a customer whose state was read. */
async function makeCustomer(): Promise<string> {
  const { accountId } = await makeUser(gateway.ctx.db);
  const stripeId = `cus_${randomUUID()}`;
  await gateway.ctx.db.insertInto('billingCustomers').values({ stripeId, accountId, mirrored: 1 }).execute();
  return stripeId;
}
const readWanted = async (stripeId: string) =>
  (
    await gateway.ctx.db
      .selectFrom('billingCustomers')
      .select('wanted')
      .where('stripeId', '=', stripeId)
      .executeTakeFirstOrThrow()
  ).wanted;
const findEvent = (id: string) =>
  gateway.ctx.db.selectFrom('stripeEvents').selectAll().where('id', '=', id).executeTakeFirst();

const received = { status: 200, code: null, body: '{"received":true}' };

it.each([secret, newSecret])('stores an event that %s signed, and marks its customer', async (by) => {
  const customer = await makeCustomer();
  const event = makeEvent(customer);
  expect(await deliver(event, { secret: by })).toEqual(received);
  expect(await findEvent(event.id)).toMatchObject({
    type: 'customer.subscription.updated',
    objectType: 'subscription',
    objectId: 'sub_1',
    customerId: customer,
    state: 'pending',
    createdAt: new Date(event.created * 1_000),
  });
  expect(await readWanted(customer)).toBe(2);
});

it('M2: stores an event once and marks its customer once when it is delivered 50 times at once', async () => {
  const customer = await makeCustomer();
  const event = makeEvent(customer);
  const replies = await Promise.all(Array.from({ length: 50 }, () => deliver(event)));
  expect(replies).toEqual(Array.from({ length: 50 }, () => received));
  expect(await readWanted(customer)).toBe(2);
});

it('M2: neither stores an event nor marks its customer again when it is delivered a day later', async () => {
  const customer = await makeCustomer();
  const event = makeEvent(customer, { created: nowS() - 86_400 });
  expect(await deliver(event)).toEqual(received);
  // Stripe was read a day ago, and nothing is left to do.
  const { db } = gateway.ctx;
  await db.updateTable('billingCustomers').set({ mirrored: 2 }).where('stripeId', '=', customer).execute();
  const done = { state: 'done', receivedAt: new Date(Date.now() - 86_400_000) } as const;
  await db.updateTable('stripeEvents').set(done).where('id', '=', event.id).execute();
  const stored = await findEvent(event.id);
  // Each delivery has a signature of its own time.
  expect(await deliver(event, { time: nowS() })).toEqual(received);
  expect(await findEvent(event.id)).toEqual(stored);
  expect(stored).toMatchObject(done);
  expect(await readWanted(customer)).toBe(2);
});

it('marks a customer once for each of 20 events that are delivered at once', async () => {
  const customer = await makeCustomer();
  await Promise.all(Array.from({ length: 20 }, () => deliver(makeEvent(customer))));
  expect(await readWanted(customer)).toBe(21);
});

describe('M1: a rejected request', () => {
  const rejected = async (event: { id: string }, delivery: Delivery) => {
    const customer = await makeCustomer();
    const reply = await deliver({ ...makeEvent(customer), ...event }, delivery);
    expect(await findEvent(event.id)).toBeUndefined();
    expect(await readWanted(customer)).toBe(1);
    return reply;
  };
  const newId = () => ({ id: `evt_${randomUUID()}` });

  it.each([
    ['is signed with another secret', { secret: 'whsec_other' }, "The signature doesn't match the webhook secret."],
    ['has no valid signature', { signature: 't=1,v1=00' }, "The signature doesn't match the webhook secret."],
    ['is 6 minutes old', { time: nowS() - 360 }, 'The signature is older than 5 minutes.'],
    ['is dated 6 minutes ahead', { time: nowS() + 360 }, 'The signature is dated more than 5 minutes ahead.'],
  ])('returns 400 and stores nothing when it %s', async (_case, delivery, body) => {
    expect(await rejected(newId(), delivery)).toEqual({ status: 400, code: 'bad_signature', body });
  });

  it('returns 400 when the signed body is not an event', async () => {
    expect(await deliver({ hello: 'world' })).toMatchObject({ status: 400, code: 'malformed_body' });
  });

  it('returns 413 when the body exceeds 1 MB', async () => {
    const event = { ...newId(), padding: 'x'.repeat(1024 * 1024) };
    expect(await rejected(event, {})).toMatchObject({ status: 413, code: 'file_too_large' });
  });

  it('accepts a body of almost 1 MB', async () => {
    expect(await deliver({ ...makeEvent('cus_other'), padding: 'x'.repeat(1_000_000) })).toEqual(received);
  });
});

describe('M1: an unusual request', () => {
  const post = async (body: Uint8Array<ArrayBuffer> | string, headers: Record<string, string>) => {
    const response = await send(`${gateway.url}/api/stripe/webhook`, { method: 'POST', body, headers });
    return { status: response.status, code: response.headers.get('x-error-code'), body: await response.text() };
  };
  const sign = (body: string) => signPayload(body, { secret, time: nowS() });

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'application/octet-stream',
    'image/png',
  ])('of type %s is judged by its signature alone', async (type) => {
    const event = makeEvent(await makeCustomer());
    const body = JSON.stringify(event);
    expect(await post(body, { 'content-type': type })).toMatchObject({ status: 400, code: 'bad_signature' });
    expect(await post(body, { 'content-type': type, 'stripe-signature': sign(body) })).toEqual(received);
    expect(await findEvent(event.id)).toMatchObject({ state: 'pending' });
  });

  it('that is compressed is not decompressed', async () => {
    const text = JSON.stringify({ ...makeEvent(null), padding: ' '.repeat(900_000) });
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    const reply = await post(new Uint8Array(gzipSync(text)), { ...headers, 'stripe-signature': sign(text) });
    expect([400, 415]).toContain(reply.status);
  });

  it('with hundreds of signatures is accepted only if one is right', async () => {
    const body = JSON.stringify(makeEvent(null));
    const right = sign(body);
    const wrong = Array.from({ length: 150 }, () => `v1=${'0'.repeat(64)}`).join(',');
    const time = right.split(',')[0];
    expect(await post(body, { 'stripe-signature': `${time},${wrong}` })).toMatchObject({ code: 'bad_signature' });
    expect(await post(body, { 'stripe-signature': `${right},${wrong}` })).toEqual(received);
  });

  it.each([
    '',
    't=',
    't=x,v1=',
    't=NOW,v1=',
    't=NOW,v1',
    't=NOW,v1=,v1=',
    'v1=00',
    't=1e99,v1=00',
    't=-1,v1=00',
    't=NaN,v1=00',
    'v0=00',
    ',,,=',
  ])('with the signature %j is rejected', async (signature) => {
    const body = JSON.stringify(makeEvent(null));
    const header = { 'stripe-signature': signature.replace('NOW', String(nowS())) };
    expect(await post(body, header)).toMatchObject({ status: 400, code: 'bad_signature' });
  });

  it('with a customer of another account marks only the customer that it names', async () => {
    const [own, other] = [await makeCustomer(), await makeCustomer()];
    const metadata = { app: 'uprez', account: randomUUID(), customer: other };
    expect(await deliver(makeEvent(own, {}, { metadata, previous_attributes: { customer: other } }))).toEqual(received);
    expect([await readWanted(own), await readWanted(other)]).toEqual([2, 1]);
  });
});

it('confirms an event of the other mode and stores nothing', async () => {
  const customer = await makeCustomer();
  const event = makeEvent(customer, { livemode: true });
  expect(await deliver(event)).toEqual(received);
  expect(await findEvent(event.id)).toBeUndefined();
  expect(await readWanted(customer)).toBe(1);
});

it('stores events of other customers as ignored, and those that name only a payment as pending', async () => {
  const [other, refund, price] = [
    makeEvent('cus_of_another_product'),
    makeEvent(null, { type: 'refund.created' }, { id: 're_1', object: 'refund', payment_intent: 'pi_1' }),
    makeEvent(null, { type: 'price.updated' }, { id: 'price_1', object: 'price' }),
  ];
  for (const event of [other, refund, price]) expect(await deliver(event)).toEqual(received);
  expect(await findEvent(other.id)).toMatchObject({ state: 'ignored' });
  expect(await findEvent(refund.id)).toMatchObject({ state: 'pending', customerId: null, paymentIntentId: 'pi_1' });
  expect(await findEvent(price.id)).toMatchObject({ state: 'ignored' });
});

it('counts requests by result', async () => {
  await deliver(makeEvent(null), { secret: 'whsec_other' });
  const metrics = await (await fetch(`${gateway.operatorUrl}/metrics`)).text();
  expect(metrics).toMatch(/^stripe_webhooks_total\{result="signature"\} [1-9]/m);
});

it('L1: logs nothing of a body', async () => {
  const lines: string[] = [];
  const log = openLogger({ service: 'gateway', level: 'trace', destination: { write: (line) => lines.push(line) } });
  const logging = await startTestGateway(keys, undefined, () => ({ log }));
  onTestFinished(logging.close);
  log.info({}, 'started');
  const event = makeEvent('cus_of_the_canary', {}, { email: 'canary@example.test' });
  expect(await deliver(event, { url: logging.url })).toEqual(received);
  expect(await deliver(event, { url: logging.url, secret: 'whsec_other' })).toMatchObject({ status: 400 });
  expect(await deliver({ hello: 'canary' }, { url: logging.url })).toMatchObject({ status: 400 });
  expect(lines.join('')).toContain('started');
  expect(lines.join('')).not.toContain('canary');
});

it('is not rate limited', async () => {
  const strict = await startTestGateway({ ...keys, RATE_LIMIT_SCALE: '0.001' });
  onTestFinished(strict.close);
  for (let request = 0; request < 5; request += 1)
    expect(await deliver(makeEvent(null), { url: strict.url })).toEqual(received);
});

it("returns 404 without Stripe's keys", async () => {
  const without = await startTestGateway();
  onTestFinished(without.close);
  expect(await deliver(makeEvent(null), { url: without.url })).toMatchObject({ status: 404, code: 'not_found' });
});

it('M4: returns 503 while the database is unavailable', async () => {
  const lost = await startTestGateway({ ...keys, DATABASE_URL: 'postgres://localhost:1/none' });
  onTestFinished(lost.close);
  expect(await deliver(makeEvent(null), { url: lost.url })).toMatchObject({ status: 503, code: 'service_unavailable' });
});
