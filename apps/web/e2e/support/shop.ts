import { randomUUID } from 'node:crypto';
import type { BrowserContext, Page } from '@playwright/test';
import { routes } from '@uprez/contracts/endpoints/routes';
import { findFreePort } from '@uprez/local-stack/find-free-port';
import { openTestStripe, type TestStripe } from '@uprez/testing/billing/open-test-stripe';
import { openMailCatcher } from '@uprez/testing/mail';
import { getServices, openTestDatabase } from '@uprez/testing/open-test-database';
import { startTestProduct, type TestProduct } from '@uprez/testing/products/start-test-product';

export type Shop = { url: string; product: TestProduct; db: TestProduct['db']; stripe: TestStripe; mailUrl: string };

/**
 * Starts a product that sells plans through the Stripe double, without a worker. `env`: environment variables that
 * override the defaults.
 */
export async function openShop(env: Record<string, string> = {}) {
  const port = await findFreePort();
  // The URL to which Stripe redirects. The session cookie must be valid for it.
  const url = `http://127.0.0.1:${port}`;
  const [mails, database, stripe] = await Promise.all([
    openMailCatcher(),
    openTestDatabase(),
    openTestStripe({ webhookUrl: url + routes.stripeWebhook.path }),
  ]);
  const product = await startTestProduct({
    databaseUrl: database.url,
    redisUrl: getServices().redisUrl,
    services: ['gateway', 'dispatcher'],
    env: { ...mails.env, ...stripe.env, PORT: String(port), PUBLIC_URL: url, ...env },
  });
  return {
    url,
    product,
    db: product.db,
    stripe,
    mailUrl: mails.url,
    close: async () => {
      await product.close();
      await Promise.all([stripe.close(), database.close(), mails.close()]);
    },
  };
}

export type Buyer = { id: string; email: string; post: (path: string, data?: object) => Promise<unknown> };

/** Signs up a new account in a browser. */
export async function signUpBuyer(shop: Shop, context: BrowserContext): Promise<Buyer> {
  const email = `${randomUUID()}@example.test`;
  const post = async (path: string, data: object = {}) => {
    const response = await context.request.post(shop.url + path, { data, headers: { origin: shop.url } });
    if (!response.ok()) throw new Error(`${path}: ${await response.text()}`);
    return response.json() as Promise<unknown>;
  };
  const { id } = (await post('/api/register', { email, password: 'six feet under', firstName: 'Ada' })) as {
    id: string;
  };
  await shop.db.updateTable('users').set({ emailVerified: true }).where('id', '=', id).execute();
  return { id, email, post };
}

/** Uses GET without a body. */
async function callStripe(shop: Shop, path: string, body?: URLSearchParams | object): Promise<unknown> {
  const isForm = body instanceof URLSearchParams;
  const response = await fetch(shop.stripe.double.url + path, {
    method: body ? 'POST' : 'GET',
    headers: {
      authorization: `Bearer ${shop.stripe.env.STRIPE_SECRET_KEY}`,
      ...(body && !isForm && { 'content-type': 'application/json' }),
    },
    ...(body && { body: isForm ? body : JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
  return response.json();
}

/** Buys a plan without a browser. `card`: a payment method of the double. */
export async function subscribe(shop: Shop, buyer: Buyer, { plan = 'pro', card = 'pm_card_visa' } = {}): Promise<void> {
  const { clientSecret } = (await buyer.post('/api/create-subscription', { priceId: plan })) as {
    clientSecret: string;
  };
  const [intent = ''] = clientSecret.split('_secret_');
  await callStripe(shop, `/v1/payment_intents/${intent}/confirm`, new URLSearchParams({ payment_method: card }));
  await buyer.post('/api/billing/refresh');
}

const findCustomer = async ({ db }: Shop, { id }: Buyer): Promise<string> =>
  (await db.selectFrom('billingCustomers').select('stripeId').where('accountId', '=', id).executeTakeFirstOrThrow())
    .stripeId;

/** Advances the time of an account in the Stripe double. */
export async function advance(
  shop: Shop,
  buyer: Buyer,
  by: { seconds: number } | { until: 'period_end' },
): Promise<void> {
  await callStripe(shop, `/_control/customers/${await findCustomer(shop, buyer)}/advance`, by);
}

/** Sets the outcome of all future payments with an account's card. */
export async function setCardOutcome(
  shop: Shop,
  buyer: Buyer,
  outcome: 'succeeds' | 'declined' | 'authentication',
): Promise<void> {
  const path = `/v1/customers/${await findCustomer(shop, buyer)}/payment_methods`;
  const { data } = (await callStripe(shop, path)) as { data: { id: string }[] };
  await callStripe(shop, `/_control/payment_methods/${data[0]?.id}`, { outcome });
}

export const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });
export const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

export const tierOf = async ({ db }: Shop, id: string) =>
  (await db.selectFrom('users').select('tier').where('id', '=', id).executeTakeFirstOrThrow()).tier;

export const paymentFrame = (page: Page) => page.frameLocator('iframe[title="Secure payment input frame"]');
export const bankFrame = (page: Page) => page.frameLocator('iframe[title="3D Secure authentication"]');

export async function fillCard(page: Page, number: string): Promise<void> {
  const frame = paymentFrame(page);
  await frame.getByLabel('Card number').fill(number);
  await frame.getByLabel('Expiration date').fill('1230');
  await frame.getByLabel('Security code').fill('123');
}
