// npm run recover:admin: gives an account access to administration again, when no owner can sign in. It uses the database of
// a running `npm start`, or DATABASE_URL.
import { main } from './run.mjs';
import { runOnProduct } from './run-on-product.mjs';

await main(() => runOnProduct('services/dispatcher/dist/recover-admin.js'));
