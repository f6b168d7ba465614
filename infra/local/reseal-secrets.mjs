// npm run reseal:secrets: seals stored secrets with the first VAULT_SECRET, in the database of a running `npm start` or of
// DATABASE_URL.
import { main } from './run.mjs';
import { runOnProduct } from './run-on-product.mjs';

await main(() => runOnProduct('services/dispatcher/dist/reseal-secrets.js', 'VAULT_SECRET'));
