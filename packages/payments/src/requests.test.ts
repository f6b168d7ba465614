import { readdirSync } from 'node:fs';
import Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiCall, keyed } from '../test/support/api-call.ts';
import { catalogCalls } from '../test/support/catalog-calls.ts';
import { moneyCalls } from '../test/support/money-calls.ts';
import { type FakeStripe, openFakeStripe, secretKey } from '../test/support/open-fake-stripe.ts';
import { subscriptionCalls } from '../test/support/subscription-calls.ts';
import { createPrice } from './catalog.ts';
import { createCheckoutSession } from './checkout-sessions.ts';
import { createCoupon } from './coupons.ts';
import { createCustomer, findCustomer } from './customers.ts';

const calls: Record<string, ApiCall> = { ...catalogCalls, ...subscriptionCalls, ...moneyCalls };
/** Functions that send no request. */
const local = ['openPayments', 'parseSubscription', 'parseSubscriptionToConfirm', 'verifyEvent'];

let stripe: FakeStripe;
beforeAll(async () => {
  stripe = await openFakeStripe();
});
afterAll(() => stripe.close());

async function received(call: Pick<ApiCall, 'run' | 'reply'>) {
  stripe.reply({ body: call.reply });
  await call.run(stripe.payments);
  expect(stripe.requests).toHaveLength(1);
  const [request] = stripe.requests;
  if (!request) throw new Error('no request');
  return request;
}

describe('requests', () => {
  it.each(Object.entries(calls))(
    '%s sends its path and parameters, and its key if it is a POST',
    async (_name, call) => {
      const { method, path, params, key, headers } = await received(call);
      expect(`${method} ${path}`).toBe(call.request);
      expect(params).toEqual(call.params ?? {});
      expect(key).toBe(method === 'POST' ? keyed.idempotencyKey : undefined);
      expect(headers['stripe-version']).toBe(Stripe.API_VERSION);
      expect(headers.authorization).toBe(`Bearer ${secretKey}`);
      expect(headers['x-stripe-client-telemetry']).toBeUndefined();
    },
  );

  it('covers every exported function of the package', async () => {
    const files = readdirSync(new URL('.', import.meta.url)).flatMap((name) => /^([a-z-]+)\.ts$/.exec(name)?.[1] ?? []);
    const modules = await Promise.all(files.map((name): Promise<object> => import(/* @vite-ignore */ `./${name}.ts`)));
    const functions = modules
      .flatMap((module) => Object.entries(module))
      .filter(([name, value]) => typeof value === 'function' && /^[a-z]/.test(name))
      .map(([name]) => name);
    expect(functions.sort()).toEqual([...Object.keys(calls), ...local].sort());
  });

  it.each(['', ' ', 'k'.repeat(256)])('throws for the key "%s" before it sends anything', async (idempotencyKey) => {
    stripe.reply({ body: calls.createCustomer?.reply });
    const input = { accountId: 'acc_1', callId: 'call_1', email: 'ann@example.com', idempotencyKey };
    await expect(createCustomer(stripe.payments, input)).rejects.toThrow(TypeError);
    expect(stripe.requests).toEqual([]);
  });
});

describe('optional parameters', () => {
  it('leaves out what is not given', async () => {
    const { params } = await received({
      run: (payments) =>
        createCustomer(payments, { ...keyed, accountId: 'acc_1', callId: 'call_1', email: 'ann@example.com' }),
      reply: calls.createCustomer?.reply,
    });
    expect(Object.keys(params)).toEqual(['email', 'metadata[app]', 'metadata[account]', 'metadata[call]']);
  });

  it('sends a pack as a one-time payment with an invoice', async () => {
    const { params } = await received({
      run: (payments) =>
        createCheckoutSession(payments, {
          ...keyed,
          accountId: 'acc_1',
          callId: 'call_1',
          mode: 'payment',
          customerId: 'cus_1',
          priceId: 'price_pack',
          publicUrl: 'https://uprez.example',
          collectsTax: false,
        }),
      reply: calls.createCheckoutSession?.reply,
    });
    expect(params).toMatchObject({
      mode: 'payment',
      'invoice_creation[enabled]': 'true',
      'payment_intent_data[metadata][call]': 'call_1',
    });
    expect(
      Object.keys(params).filter((name) => /subscription_data|discounts|automatic_tax|expires/.test(name)),
    ).toEqual([]);
  });

  it('sends the price of a pack without an interval', async () => {
    const { params } = await received({
      run: (payments) =>
        createPrice(payments, {
          ...keyed,
          productId: 'uprez_pack',
          amount: 500,
          currency: 'usd',
          interval: 'once',
          lookupKey: 'uprez_pack_100_v1_500',
          sold: { pack: '100' },
        }),
      reply: calls.createPrice?.reply,
    });
    expect(params['metadata[pack]']).toBe('100');
    expect(Object.keys(params).some((name) => name.startsWith('recurring'))).toBe(false);
  });

  it('sends a coupon over an amount in cents', async () => {
    const { params } = await received({
      run: (payments) =>
        createCoupon(payments, {
          ...keyed,
          couponId: 'uprez_five',
          name: 'Five',
          discount: { amount: 500, currency: 'usd' },
          duration: { kind: 'once' },
          productIds: [],
        }),
      reply: calls.createCoupon?.reply,
    });
    expect(params).toEqual({
      id: 'uprez_five',
      name: 'Five',
      amount_off: '500',
      currency: 'usd',
      duration: 'once',
      'metadata[app]': 'uprez',
    });
  });

  it('encodes IDs, which can not change the path', async () => {
    const { path } = await received({
      run: (payments) => findCustomer(payments, 'cus_1/../x?y='),
      reply: calls.findCustomer?.reply,
    });
    expect(path).toBe('/v1/customers/cus_1%2F..%2Fx%3Fy%3D');
  });
});
