import { randomUUID } from 'node:crypto';
import { createPrice, createProduct } from '@uprez/payments/catalog';
import { createCoupon, createPromotionCode } from '@uprez/payments/coupons';
import { createCustomer, deleteCustomer } from '@uprez/payments/customers';
import { openPayments, type Payments } from '@uprez/payments/open-payments';
import { createSubscription } from '@uprez/payments/subscriptions';
import Stripe from 'stripe';
import { expect, it, onTestFinished, vi } from 'vitest';
import { connect, keys, openStripe } from './helpers.ts';

/** A fresh idempotency key. */
export const key = () => ({ idempotencyKey: randomUUID() });
/** Origin of what the scenarios create. */
export const origin = { accountId: 'scenario', callId: 'scenario' };

const sandboxKey = process.env.TEST_STRIPE_KEY;

/** Defines a test that runs on a new double, and another on the sandbox of TEST_STRIPE_KEY if it is set. */
export function scenario(title: string, run: (open: OpenScenario) => Promise<void>, timeoutMs?: number): void {
  it(`${title}, on the double`, () => run(() => openScenario(openDouble)), timeoutMs);
  if (sandboxKey)
    it(`${title}, on the sandbox`, () => run(() => openScenario(() => openSandbox(sandboxKey))), timeoutMs);
}

type OpenScenario = () => ReturnType<typeof openScenario>;
type Connection = { payments: Payments; browser: Stripe };

/** Creates a customer. `browser` confirms what a customer confirms. */
async function openScenario(openStripeApi: () => Connection | Promise<Connection>) {
  const { payments, browser } = await openStripeApi();
  onTestFinished(() => payments.close());
  const { id: customerId } = await createCustomer(payments, { ...key(), ...origin, email: 'ada@example.com' });
  onTestFinished(() => deleteCustomer(payments, customerId));
  return { payments, browser, customerId };
}

function openSandbox(secretKey: string) {
  if (!/^[rs]k_test_/.test(secretKey)) throw new Error('TEST_STRIPE_KEY must be a test key');
  return { payments: open(secretKey), browser: new Stripe(secretKey) };
}

async function openDouble() {
  const { double } = await openStripe();
  return { payments: open(keys.secretKey, double.url), browser: connect(double) };
}

const open = (secretKey: string, apiUrl?: string) =>
  openPayments({ mode: 'test', secretKey, publishableKey: 'pk_test_unused', webhookSecrets: ['whsec_unused'], apiUrl });

/**
 * Creates a customer with a test clock, which is deleted after the test. `advance` lets time pass until then, with what happens
 * by itself.
 */
export async function openClock(browser: Stripe) {
  const { testClocks } = browser.testHelpers;
  const clock = await testClocks.create({ frozen_time: Math.floor(Date.now() / 1_000) });
  onTestFinished(async () => void (await testClocks.del(clock.id)));
  const { id: customerId } = await browser.customers.create({ email: 'ada@example.com', test_clock: clock.id });
  const advance = async (until: Date) => {
    await testClocks.advance(clock.id, { frozen_time: Math.ceil(until.getTime() / 1_000) });
    // A sandbox needs up to a minute.
    await vi.waitFor(async () => expect((await testClocks.retrieve(clock.id)).status).toBe('ready'), {
      timeout: 120_000,
      interval: 1_000,
    });
  };
  return { customerId, advance };
}

/** Creates a price per month of a new product. Cents. */
export async function createPlan(payments: Payments, amount: number) {
  const name = `uprez_scenario_${randomUUID()}`;
  const product = await createProduct(payments, { ...key(), productId: name, name, description: 'Scenario' });
  return createPrice(payments, {
    ...key(),
    productId: product.id,
    amount,
    currency: 'usd',
    interval: 'month',
    lookupKey: name,
    sold: { tier: 'pro', planVersion: 1 },
  });
}

/** Creates a promotion code for 20% off within two months. */
export async function createCode(payments: Payments) {
  const couponId = `scenario_${randomUUID()}`;
  const terms = { discount: { percent: 20 }, duration: { kind: 'months', months: 2 }, productIds: [] } as const;
  await createCoupon(payments, { ...key(), couponId, name: 'Scenario', ...terms });
  const code = `S${randomUUID().slice(0, 8).toUpperCase()}`;
  const { id: promotionCodeId } = await createPromotionCode(payments, { ...key(), couponId, code });
  return { couponId, promotionCodeId };
}

interface Purchase {
  payments: Payments;
  browser: Stripe;
  customerId: string;
  priceId: string;
  promotionCodeId?: string;
}

/** Creates a subscription and pays it with a card, as the form in the browser does. */
export async function buy({ payments, browser, ...purchase }: Purchase) {
  const { subscription, clientSecret } = await createSubscription(payments, {
    ...key(),
    ...origin,
    ...purchase,
    collectsTax: false,
  });
  if (clientSecret?.kind !== 'payment') throw new Error('nothing has to be paid');
  await confirm(browser, clientSecret.value);
  return subscription;
}

/** Confirms a payment with a card. */
export const confirm = (browser: Stripe, clientSecret: string, card = 'pm_card_visa') =>
  browser.paymentIntents.confirm(clientSecret.replace(/_secret_.*/, ''), {
    payment_method: card,
    return_url: 'https://example.com',
  });
