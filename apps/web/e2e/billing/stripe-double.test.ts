import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, type Page } from '@playwright/test';
import { openTestStripe, type TestStripe } from '@uprez/testing/billing/open-test-stripe';
import { test } from '../support/fixtures.ts';

/** Opens a page of another origin that may use the double only as a payment page of the product may use Stripe. */
async function openShop(stripeUrl: string) {
  const sources = `script-src 'self' 'unsafe-inline' ${stripeUrl}; frame-src ${stripeUrl}; connect-src ${stripeUrl}`;
  const server = createServer((_request, response) => {
    const headers = { 'content-type': 'text/html', 'content-security-policy': `default-src 'none'; ${sources}` };
    response.writeHead(200, headers);
    response.end(
      `<!doctype html><title>Shop</title><div id="form"></div><script src="${stripeUrl}/stripe.js"></script>`,
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/`, close: () => server.close() };
}

let stripe: TestStripe;
let shop: Awaited<ReturnType<typeof openShop>>;
test.beforeAll(async () => {
  stripe = await openTestStripe();
  shop = await openShop(stripe.double.url);
});
test.afterAll(async () => {
  shop.close();
  await stripe.close();
});

type Intent = { id: string; client_secret: string; status: string };
/** Calls the double with the secret key. */
async function call(path: string, fields?: Record<string, string>): Promise<Intent> {
  const headers = { authorization: `Bearer ${stripe.env.STRIPE_SECRET_KEY}` };
  const body = fields && new URLSearchParams(fields);
  const response = await fetch(`${stripe.double.url}/v1/${path}`, { headers, ...(body && { method: 'POST', body }) });
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as Intent;
}
const createPayment = () => call('payment_intents', { amount: '1900', currency: 'usd' });
const statusOf = async ({ id }: Intent) => (await call(`payment_intents/${id}`)).status;

/** Mounts the form for an intent. The page keeps the outcome of the confirmation. */
async function mountForm(page: Page, { client_secret: clientSecret }: Intent, key = 'pk_test_local') {
  await page.goto(shop.url);
  await page.evaluate(
    ({ secret, publishableKey }) => {
      const api = Reflect.get(window, 'Stripe')(publishableKey);
      const elements = api.elements({ clientSecret: secret, appearance: { theme: 'night' } });
      const element = elements.create('payment');
      const events: string[] = [];
      for (const name of ['ready', 'loaderror']) element.on(name, () => events.push(name));
      element.mount('#form');
      const confirm = async (kind: 'confirmPayment' | 'confirmSetup') => {
        const confirmParams = { return_url: `${location.origin}/done` };
        return api[kind]({ elements, confirmParams, redirect: 'if_required' });
      };
      Object.assign(window, { shop: { api, elements, events, confirm } });
    },
    { secret: clientSecret, publishableKey: key },
  );
  await page.waitForFunction(() => Reflect.get(window, 'shop').events.length > 0);
  return page.frameLocator('iframe[title="Secure payment input frame"]');
}
type Outcome = {
  error?: { type: string; code: string; message: string };
  paymentIntent?: Intent;
  setupIntent?: Intent;
};
const confirm = (page: Page, kind: 'confirmPayment' | 'confirmSetup' = 'confirmPayment'): Promise<Outcome> =>
  page.evaluate((name) => Reflect.get(window, 'shop').confirm(name), kind);

async function fillCard(frame: Awaited<ReturnType<typeof mountForm>>, number: string) {
  await frame.getByLabel('Card number').fill(number);
  await frame.getByLabel('Expiration date').fill('1230');
  await frame.getByLabel('Security code').fill('123');
}

test('the form of the Stripe double pays with a test card, after errors and a declined card', async ({ page }) => {
  const intent = await createPayment();
  const frame = await mountForm(page, intent);
  await expect(frame.getByText('Local test mode: no real money')).toBeVisible();
  expect((await confirm(page)).error).toMatchObject({ type: 'validation_error', code: 'incomplete_number' });
  await expect(frame.getByText('Your card number is incomplete.')).toBeVisible();
  await fillCard(frame, '4242424242424241');
  expect((await confirm(page)).error).toMatchObject({ type: 'validation_error', code: 'invalid_number' });
  await fillCard(frame, '4000000000000002');
  await expect(frame.getByLabel('Card number')).toHaveValue('4000 0000 0000 0002');
  const declined = { type: 'card_error', code: 'card_declined', message: 'Your card was declined.' };
  expect((await confirm(page)).error).toMatchObject(declined);
  await fillCard(frame, '4242424242424242');
  const { paymentIntent } = await confirm(page);
  expect(paymentIntent).toMatchObject({ id: intent.id, status: 'succeeded' });
  expect(paymentIntent).not.toHaveProperty('metadata');
  expect(await statusOf(intent)).toBe('succeeded');
});

test('3-D Secure of the Stripe double opens a frame in which it fails or is completed', async ({ page }) => {
  const intent = await createPayment();
  const frame = await mountForm(page, intent);
  await fillCard(frame, '4000002760003184');
  const challenge = page.frameLocator('iframe[title="3D Secure authentication"]');
  const failed = confirm(page);
  await challenge.getByRole('button', { name: 'Fail' }).click();
  expect((await failed).error).toMatchObject({ code: 'payment_intent_authentication_failure' });
  const passed = confirm(page);
  await challenge.getByRole('button', { name: 'Complete' }).click();
  expect((await passed).paymentIntent).toMatchObject({ status: 'succeeded' });
  expect(await statusOf(intent)).toBe('succeeded');
});

test('a card is saved by the form of the Stripe double, and handleNextAction continues a payment', async ({ page }) => {
  const customer = await call('customers', { email: 'ada@example.test' });
  const setup = await call('setup_intents', { customer: customer.id });
  await fillCard(await mountForm(page, setup), '4242424242424242');
  expect((await confirm(page, 'confirmSetup')).setupIntent).toMatchObject({ id: setup.id, status: 'succeeded' });
  const payment = await createPayment();
  const card = { payment_method: 'pm_card_authenticationRequired' };
  expect((await call(`payment_intents/${payment.id}/confirm`, card)).status).toBe('requires_action');
  const continued = page.evaluate(
    (clientSecret): Promise<Outcome> => Reflect.get(window, 'shop').api.handleNextAction({ clientSecret }),
    payment.client_secret,
  );
  const challenge = page.frameLocator('iframe[title="3D Secure authentication"]');
  await challenge.getByRole('button', { name: 'Complete' }).click();
  expect((await continued).paymentIntent).toMatchObject({ status: 'succeeded' });
});

test('PayPal of the Stripe double leads to its own page and back', async ({ page }) => {
  const intent = await createPayment();
  const frame = await mountForm(page, intent);
  await frame.getByLabel('PayPal').check();
  // The promise stays pending: the page is left.
  await page.evaluate(() => void Reflect.get(window, 'shop').confirm('confirmPayment'));
  await page.getByRole('button', { name: 'Authorize test payment' }).click();
  await page.waitForURL(`${shop.url}done?**`);
  const { searchParams } = new URL(page.url());
  expect(Object.fromEntries(searchParams)).toMatchObject({ payment_intent: intent.id, redirect_status: 'succeeded' });
  expect(await statusOf(intent)).toBe('succeeded');
});

test('the form of the Stripe double reports a wrong secret and a wrong key as load errors', async ({ page }) => {
  const intent = await createPayment();
  const events = () => page.evaluate((): string[] => Reflect.get(window, 'shop').events);
  await mountForm(page, { ...intent, client_secret: `${intent.id}_secret_wrong` });
  expect(await events()).toEqual(['loaderror']);
  await mountForm(page, intent, 'pk_test_other');
  expect(await events()).toEqual(['loaderror']);
});
