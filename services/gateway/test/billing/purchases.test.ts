import { finishNextCall } from '@uprez/domain/billing/calls/finish-next-call';
import { finishers } from '@uprez/domain/billing/finishers';
import { fileFixture } from '@uprez/testing/fixtures';
import { openCuttableProxy } from '@uprez/testing/network/open-cuttable-proxy';
import { openHoldingProxy } from '@uprez/testing/network/open-holding-proxy';
import type { SignedIn } from '@uprez/testing/sign-up';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openShop, postJson, type Shop } from '../support/open-shop.ts';
import { startTestGateway } from '../support/start-test-gateway.ts';

const shop = fileFixture(openShop);
const form = (user: SignedIn, priceId = 'pro', { gateway }: Pick<Shop, 'gateway'> = shop) =>
  postJson(user, `${gateway.url}/api/create-subscription`, { priceId });
const hosted = (user: SignedIn, body: object = { priceId: 'pro', planName: 'Pro' }) =>
  postJson(user, `${shop.gateway.url}/api/create-checkout-session`, body);
const refresh = (user: SignedIn, body: object = {}) => postJson(user, `${shop.gateway.url}/api/billing/refresh`, body);

describe('POST /api/create-subscription', () => {
  it('returns the secret with the plan and its bills, and nobody may store the reply', async () => {
    const bought = await form(await shop.signUp());
    expect(bought).toMatchObject({
      status: 200,
      cache: 'no-store',
      body: { confirms: 'payment', plan: { tier: 'pro' }, bill: { due: 700 }, next: { amount: 700 } },
    });
    expect(bought.body.clientSecret).toMatch(/^pi_\w+_secret_/);
  });

  it('M5: makes one subscription for 50 requests at once to two gateways', async () => {
    const second = await startTestGateway({ ...shop.stripe.env, DATABASE_URL: shop.gateway.ctx.databaseUrl });
    onTestFinished(second.close);
    const user = await shop.signUp();
    const replies = await Promise.all(
      Array.from({ length: 50 }, (_, index) => form(user, 'pro', index % 2 ? { gateway: second } : shop)),
    );
    expect(new Set(replies.map(({ status, body }) => `${status} ${body.clientSecret}`)).size).toBe(1);
    expect(await shop.atStripe(user)).toEqual({ customers: 1, subscriptions: ['incomplete'], sessions: [] });
  });
});

describe('POST /api/create-checkout-session', () => {
  it('returns the page, and the plan after it was paid', async () => {
    const user = await shop.signUp();
    const { status, body } = await hosted(user);
    expect(status).toBe(200);
    const paid = await fetch(String(body.url), {
      method: 'POST',
      body: new URLSearchParams({ number: '4242424242424242' }),
      redirect: 'manual',
    });
    const back = new URL(paid.headers.get('location') ?? '');
    expect(back.origin + back.pathname).toBe('http://images.example/dashboard');
    const checkout = back.searchParams.get('checkout');
    expect(await refresh(user, { checkout })).toMatchObject({ status: 200, body: { tier: 'pro' } });
    expect(await hosted(user)).toMatchObject({ status: 409, code: 'already_subscribed' });
    expect(await form(user)).toMatchObject({ status: 409, code: 'already_subscribed' });
  });

  it('returns price_not_found when the button showed another plan', async () => {
    const reply = await hosted(await shop.signUp(), { priceId: 'pro', planName: 'Enterprise' });
    expect(reply).toMatchObject({
      status: 404,
      code: 'price_not_found',
      text: "This plan isn't available. Choose one from the pricing page.",
    });
  });
});

describe('POST /api/billing/refresh', () => {
  it('answers the session of another account like a missing one', async () => {
    const [user, other] = [await shop.signUp(), await shop.signUp()];
    for (const buyer of [user, other]) await hosted(buyer);
    const calls = shop.db.selectFrom('billingCalls').select('stripeIds').where('accountId', '=', other.user.id);
    const { sessionId = '' } = (await calls.executeTakeFirstOrThrow()).stripeIds;
    const missing = await refresh(user, { checkout: 'cs_test_missing' });
    expect(missing).toMatchObject({ status: 404, code: 'not_found' });
    expect(await refresh(user, { checkout: sessionId })).toEqual(missing);
    expect(await refresh(other, { checkout: sessionId })).toMatchObject({ status: 200, body: { tier: 'free' } });
  });

  it('returns the stored plan while Stripe is gone', async () => {
    const gone = await openShop({ STRIPE_API_URL: 'http://127.0.0.1:1' });
    onTestFinished(gone.close);
    const user = await gone.signUp();
    const reply = await postJson(user, `${gone.gateway.url}/api/billing/refresh`, {});
    expect(reply).toMatchObject({ status: 200, body: { tier: 'free' } });
    const bought = await form(user, 'pro', gone);
    expect(bought).toMatchObject({
      status: 503,
      code: 'billing_unavailable',
      text: "Our payment provider isn't responding. Try again in a moment. You won't be charged twice.",
    });
  });
});

it('GET /api/billing/config returns what Stripe.js needs', async () => {
  const { data } = await (await shop.signUp()).client.billingConfig();
  const scriptOrigin = shop.stripe.env.STRIPE_API_URL;
  expect(data).toEqual({ publishableKey: 'pk_test_local', scriptOrigin, isTest: true, collectsTax: false });
});

it('returns email_unverified before the address is confirmed', async () => {
  const user = await shop.gateway.signUp();
  for (const buy of [form, hosted] as const)
    expect(await buy(user)).toMatchObject({
      status: 403,
      code: 'email_unverified',
      text: 'Confirm your email address first. You can request a new link on your account page.',
    });
  expect(await shop.atStripe(user)).toMatchObject({ customers: 0 });
});

it('returns billing_not_configured without keys, and for a plan whose price is not at Stripe yet', async () => {
  const text = 'This plan is not yet configured. Please contact support.';
  const rejected = { status: 409, code: 'billing_not_configured', text };
  const without = await startTestGateway();
  onTestFinished(without.close);
  const user = await without.signUp();
  for (const path of ['create-subscription', 'create-checkout-session'])
    expect(await postJson(user, `${without.url}/api/${path}`, { priceId: 'pro' })).toMatchObject(rejected);
  expect(await postJson(user, `${without.url}/api/billing/refresh`, {})).toMatchObject(rejected);
  await expect(user.client.billingConfig()).rejects.toMatchObject({ code: 'billing_not_configured' });
  const unsynced = await openShop();
  onTestFinished(unsynced.close);
  await unsynced.db.updateTable('prices').set({ active: false }).execute();
  expect(await form(await unsynced.signUp(), 'pro', unsynced)).toMatchObject(rejected);
});

it('M4: returns 503 when the database is lost during a request to Stripe, and has the effect once afterward', async () => {
  const proxied = await openShop();
  onTestFinished(proxied.close);
  const proxy = await openHoldingProxy(proxied.stripe.double.url, '/v1/customers');
  onTestFinished(proxy.close);
  const databaseUrl = new URL(proxied.gateway.ctx.databaseUrl);
  const database = await openCuttableProxy({ host: databaseUrl.hostname, port: Number(databaseUrl.port) });
  onTestFinished(database.close);
  databaseUrl.host = `127.0.0.1:${database.port}`;
  const gateway = await startTestGateway({
    ...proxied.stripe.env,
    DATABASE_URL: databaseUrl.href,
    STRIPE_API_URL: proxy.url,
  });
  onTestFinished(gateway.close);
  const user = await proxied.signUp();
  const buying = form(user, 'pro', { gateway });
  await proxy.held;
  database.cut();
  proxy.release();
  expect(await buying).toMatchObject({ status: 503, code: 'service_unavailable' });
  expect(await proxied.atStripe(user)).toMatchObject({ customers: 1, subscriptions: [] });
  await proxied.db.updateTable('billingCalls').set({ notBefore: new Date(), leaseUntil: null }).execute();
  const log = { info: () => {}, warn: () => {}, error: () => {} };
  await finishNextCall({ db: proxied.db, payments: proxied.stripe.payments, log }, finishers);
  expect(await proxied.atStripe(user)).toEqual({ customers: 1, subscriptions: ['incomplete'], sessions: [] });
  expect(await form(user, 'pro', proxied)).toMatchObject({ status: 200 });
  expect(await proxied.atStripe(user)).toEqual({ customers: 1, subscriptions: ['incomplete'], sessions: [] });
});
