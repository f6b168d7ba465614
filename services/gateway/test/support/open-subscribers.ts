import { randomUUID } from 'node:crypto';
import { syncAccount } from '@uprez/domain/billing/sync/sync-customer';
import { syncCatalog } from '@uprez/domain/billing/sync-catalog';
import { createCustomer } from '@uprez/payments/customers';
import { listInvoices } from '@uprez/payments/invoices';
import { createSubscription } from '@uprez/payments/subscriptions';
import { openTestStripe } from '@uprez/testing/billing/open-test-stripe';
import { startTestGateway } from './start-test-gateway.ts';

const key = () => ({ idempotencyKey: randomUUID() });

/** Starts a gateway with a Stripe double and the prices of all plans. */
export async function openSubscribers() {
  const stripe = await openTestStripe();
  const gateway = await startTestGateway(stripe.env);
  const { db, log } = gateway.ctx;
  const { payments } = stripe;
  const ctx = { db, log, payments };
  await syncCatalog({ db, payments }, { onChange: () => {} });
  const post = async (path: string, fields: Record<string, string>) => {
    const headers = { authorization: 'Bearer sk_test_local' };
    const sent = { method: 'POST', headers, body: new URLSearchParams(fields) };
    const response = await fetch(`${stripe.double.url}/v1/${path}`, sent);
    if (!response.ok) throw new Error(await response.text());
  };
  return {
    gateway,
    stripe,
    ctx,
    post,
    /** Signs up with a paid plan. */
    subscribe: async (tier: 'pro' | 'api_basic' = 'pro') => {
      const user = await gateway.signUp();
      const accountId = user.user.id;
      await db.updateTable('users').set({ emailVerified: true }).where('id', '=', accountId).execute();
      const origin = { accountId, callId: randomUUID() };
      const { id: customerId } = await createCustomer(payments, { ...origin, ...key(), email: user.email });
      await db.insertInto('billingCustomers').values({ stripeId: customerId, accountId }).execute();
      const { id: priceId } = await db
        .selectFrom('prices')
        .select('id')
        .where('tier', '=', tier)
        .where('interval', '=', 'month')
        .executeTakeFirstOrThrow();
      const { subscription } = await createSubscription(payments, {
        ...{ ...origin, ...key(), customerId, priceId },
        collectsTax: false,
      });
      const { items } = await listInvoices(payments, { customerId });
      await post(`payment_intents/${items[0]?.paymentIntentIds[0]}/confirm`, { payment_method: 'pm_card_visa' });
      await syncAccount(ctx, accountId);
      return { ...user, accountId, customerId, subscriptionId: subscription.id };
    },
    close: async () => {
      await gateway.close();
      await stripe.close();
    },
  };
}
