import type { Db } from '@uprez/db/database';
import { ensureWebhookEndpoint } from '@uprez/domain/billing/ensure-webhook-endpoint';
import { openPayments, type PaymentsOptions } from '@uprez/payments/open-payments';
import { exitOnError } from '@uprez/runtime/run-service';
import { readSyncConfig } from './config.ts';
import { runDatabaseCommand } from './run-command.ts';
import { rethrowPaymentError, syncPrices } from './sync-prices.ts';

/** Syncs products and prices with Stripe, and prints the changes. `--webhook`: also creates the webhook endpoint. */
const config = exitOnError(readSyncConfig);
await runDatabaseCommand(config, async (db) => {
  try {
    console.log(await syncPrices(db, config.payments));
    if (process.argv.includes('--webhook')) await createEndpoint(db, config);
  } catch (error) {
    rethrowPaymentError(error);
  }
});

type EndpointConfig = { PUBLIC_URL: string; payments: PaymentsOptions };

/** Creates the webhook endpoint at Stripe unless it exists, and prints its secret once. */
async function createEndpoint(db: Db, config: EndpointConfig): Promise<void> {
  const payments = openPayments(config.payments);
  try {
    const { endpoint, secret, outdated } = await ensureWebhookEndpoint({ db, payments }, config.PUBLIC_URL);
    if (!secret) {
      console.log(
        `The webhook endpoint ${endpoint.id} for ${endpoint.url} exists. Stripe doesn't show its secret again.`,
      );
      console.log('For another secret, delete the endpoint at Stripe and run this command again.');
      return;
    }
    console.log(`Created the webhook endpoint ${endpoint.id} for ${endpoint.url}. Its secret is shown once:`);
    console.log(`STRIPE_WEBHOOK_SECRET=${secret}`);
    for (const { id } of outdated)
      console.log(
        `Set both secrets, separated by a comma, until you have deleted the former endpoint ${id} at Stripe.`,
      );
  } finally {
    payments.close();
  }
}
