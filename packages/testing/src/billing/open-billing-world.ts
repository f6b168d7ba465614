import { randomUUID } from 'node:crypto';
import type { Db } from '@uprez/db/database';
import { assignPaymentEvent } from '@uprez/domain/billing/sync/assign-payment-event';
import { syncNextCustomer } from '@uprez/domain/billing/sync/sync-customer';
import { syncCatalog } from '@uprez/domain/billing/sync-catalog';
import { createCustomer } from '@uprez/payments/customers';
import { listInvoices } from '@uprez/payments/invoices';
import { openPayments } from '@uprez/payments/open-payments';
import { createSubscription } from '@uprez/payments/subscriptions';
import { listEvents } from '@uprez/payments/webhook-events';
import { makeUser } from '../make-user.ts';
import { openTestDatabase } from '../open-test-database.ts';
import { openTestStripe, type TestStripe } from './open-test-stripe.ts';
import { skipRetryDelay } from './skip-retry-delay.ts';

export type Subscriber = { accountId: string; customerId: string; subscriptionId: string };

/** Opens a database and a Stripe double with the prices of all plans. `warnings`: the fields of logged warnings. */
export async function openBillingWorld() {
  const database = await openTestDatabase();
  const stripe = await openTestStripe();
  const { db } = database;
  const { payments, env } = stripe;
  const warnings: object[] = [];
  const log = { info: () => {}, warn: (facts: object) => warnings.push(facts), error: () => {} };
  await syncCatalog({ db, payments }, { onChange: () => {} });
  return {
    db,
    databaseUrl: database.url,
    stripe,
    payments,
    log,
    warnings,
    /** Connects to the double, or to a proxy in front of it. The caller closes the client. */
    openClient: (apiUrl: string, timeoutMs?: number) =>
      skipRetryDelay(
        openPayments({
          ...{ mode: 'test', secretKey: env.STRIPE_SECRET_KEY, publishableKey: env.STRIPE_PUBLISHABLE_KEY },
          ...{ webhookSecrets: [], apiUrl, timeoutMs },
        }),
      ),
    /** Assigns pending payment events, then reads all customers that are due for a sync from Stripe. */
    syncAll: async () => {
      const ctx = { db, payments, log };
      while ((await assignPaymentEvent(ctx)) || (await syncNextCustomer(ctx)));
    },
    ...makeBrowser(stripe),
    ...makeSubscribers(db, stripe),
    close: async () => {
      await stripe.close();
      await database.close();
    },
  };
}

/** Returns functions that send the requests that browsers and Stripe's dashboard would send. */
export function makeBrowser({ double, env, payments }: TestStripe) {
  const post = async (path: string, fields: Record<string, string>) => {
    const headers = { authorization: `Bearer ${env.STRIPE_SECRET_KEY}` };
    const body = new URLSearchParams(fields);
    const response = await fetch(`${double.url}/v1/${path}`, { method: 'POST', headers, body });
    if (!response.ok) throw new Error(await response.text());
    return (await response.json()) as { id: string };
  };
  /** Calls a control endpoint of the double, such as `failures`. */
  const control = async (path: string, body: object) => {
    const headers = { 'content-type': 'application/json' };
    const sent = { method: 'POST', headers, body: JSON.stringify(body) };
    const response = await fetch(`${double.url}/_control/${path}`, sent);
    if (!response.ok) throw new Error(await response.text());
  };
  return {
    /** Throws if the response is an error. */
    post,
    control,
    /** Pays a customer's latest invoice. Returns the ID of the payment intent. */
    pay: async ({ customerId }: Subscriber, card = 'pm_card_visa') => {
      const { items } = await listInvoices(payments, { customerId });
      const intent = items[0]?.paymentIntentIds[0] ?? '';
      await post(`payment_intents/${intent}/confirm`, { payment_method: card });
      return intent;
    },
    advance: ({ customerId }: Subscriber, time: { seconds: number } | { until: 'period_end' }) =>
      control(`customers/${customerId}/advance`, time),
    /** Returns the events of a customer, oldest first. */
    eventsOf: async ({ customerId }: Subscriber) => {
      const { items } = await listEvents(payments, { since: new Date(0) });
      return items.filter((event) => event.customerId === customerId).reverse();
    },
  };
}

export function makeSubscribers(db: Db, { payments }: TestStripe) {
  const key = () => ({ idempotencyKey: randomUUID() });
  const findPrice = async (tier: string) => {
    const prices = await db.selectFrom('prices').select(['id', 'tier']).where('active', '=', true).execute();
    return prices.find((price) => price.tier === tier)?.id ?? '';
  };
  return {
    findPrice,
    /** Creates an account with a subscription that isn't paid yet. */
    subscribe: async (tier = 'pro', price?: string): Promise<Subscriber> => {
      const { accountId } = await makeUser(db);
      const origin = { accountId, callId: randomUUID() };
      const { id: customerId } = await createCustomer(payments, { ...origin, ...key(), email: 'ada@example.test' });
      await db.insertInto('billingCustomers').values({ stripeId: customerId, accountId }).execute();
      const bought = { customerId, priceId: price ?? (await findPrice(tier)), collectsTax: false };
      const { subscription } = await createSubscription(payments, { ...origin, ...key(), ...bought });
      return { accountId, customerId, subscriptionId: subscription.id };
    },
  };
}
