import { orExit } from '@uprez/runtime/run-service';
import { readSyncConfig } from './config.ts';
import { createEndpoint } from './create-endpoint.ts';
import { explainPaymentError } from './explain-payment-error.ts';
import { runDatabaseCommand } from './run-command.ts';
import { syncPrices } from './sync-prices.ts';

/** Synchronize products and prices with Stripe, and print what changed. `--webhook`: create the webhook endpoint too. */
const config = orExit(readSyncConfig);
await runDatabaseCommand(config, async (db) => {
  try {
    console.log(await syncPrices(db, config.payments));
    if (process.argv.includes('--webhook')) await createEndpoint(db, config);
  } catch (error) {
    explainPaymentError(error);
  }
});
