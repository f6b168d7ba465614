// npm run telemetry: changes the log level and the sampling ratio of running services for a while. It uses the database of a
// running `npm start`, or DATABASE_URL.
import { main } from './run.mjs';
import { runOnProduct } from './run-on-product.mjs';

await main(() => runOnProduct('services/dispatcher/dist/telemetry.js'));
