import { syncCatalog } from '@uprez/domain/billing/sync-catalog';
import { listCheckoutSessions } from '@uprez/payments/checkout-sessions';
import { listCustomersByEmail } from '@uprez/payments/customers';
import { listSubscriptions } from '@uprez/payments/subscriptions';
import { openTestStripe } from '@uprez/testing/billing/open-test-stripe';
import type { SignedIn } from '@uprez/testing/sign-up';
import type { Deps } from '../../src/deps.ts';
import { startTestGateway, type TestGateway } from './start-test-gateway.ts';

export type Shop = Awaited<ReturnType<typeof openShop>>;

/** Starts a gateway that sells the plans through a Stripe double. */
export async function openShop(settings: Record<string, string> = {}, change?: (deps: Deps) => Partial<Deps>) {
  const stripe = await openTestStripe();
  const { payments } = stripe;
  const gateway: TestGateway = await startTestGateway({ ...stripe.env, ...settings }, undefined, change);
  const { db } = gateway.ctx;
  await syncCatalog({ db, payments }, { onChange: () => {} });
  return {
    gateway,
    stripe,
    db,
    /** Signs up with a confirmed email address. */
    signUp: async (): Promise<SignedIn> => {
      const user = await gateway.signUp();
      await db.updateTable('users').set({ emailVerified: true }).where('id', '=', user.user.id).execute();
      return user;
    },
    /** What Stripe has of a user: customers, and what can be or was paid. */
    atStripe: async ({ email }: SignedIn) => {
      const customers = (await listCustomersByEmail(payments, { email })).items;
      const subscriptions = await Promise.all(
        customers.map(async ({ id: customerId }) => (await listSubscriptions(payments, { customerId })).items),
      );
      const sessions = await Promise.all(
        customers.map(async ({ id: customerId }) => (await listCheckoutSessions(payments, { customerId })).items),
      );
      return {
        customers: customers.length,
        subscriptions: subscriptions.flat().map(({ status }) => status),
        sessions: sessions.flat().map(({ status }) => status),
      };
    },
    close: async () => {
      await gateway.close();
      await stripe.close();
    },
  };
}

/** Posts JSON as a signed-in user. Returns the status, the error code, and the parsed body, if it is JSON. */
export async function postJson({ fetch: send }: Pick<SignedIn, 'fetch'>, url: string, body: object) {
  const headers = { 'content-type': 'application/json' };
  const response = await send(url, { method: 'POST', headers, body: JSON.stringify(body) });
  const text = await response.text();
  return {
    status: response.status,
    code: response.headers.get('x-error-code'),
    cache: response.headers.get('cache-control'),
    text,
    body: text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : {},
  };
}
