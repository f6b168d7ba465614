// npm run reconcile:files: compares stored objects with their files after a restore, on the servers of DATABASE_URL and the
// storage settings, or of a running `npm start`.
import { main } from './run.mjs';
import { runOnProduct } from './run-on-product.mjs';

await main(() => runOnProduct('services/dispatcher/dist/reconcile-files.js', 'the storage settings'));
