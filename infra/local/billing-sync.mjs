// npm run billing:sync: makes products and prices at Stripe those of the plans, on the servers of a running `npm start` or of
// DATABASE_URL. `--webhook` creates the webhook endpoint and prints its secret.
import { main } from './run.mjs';
import { runOnProduct } from './run-on-product.mjs';

await main(() => runOnProduct('services/dispatcher/dist/billing-sync.js', "Stripe's keys"));
