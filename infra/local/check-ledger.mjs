// npm run check:ledger: compares the ledger with job states and stored objects, on the servers of a running `npm start` or
// of DATABASE_URL.
import { main } from './run.mjs';
import { runOnProduct } from './run-on-product.mjs';

await main(() => runOnProduct('services/dispatcher/dist/check-ledger.js', 'the storage settings'));
