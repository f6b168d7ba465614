// Runs a command of the dispatcher on the servers of a running `npm start`, or of DATABASE_URL:
//   npm run billing:sync     makes the products and prices at Stripe match the plans; `--webhook` creates the webhook endpoint
//   npm run check:ledger     compares the ledger with job states and stored objects
//   npm run recover:admin    restores an account's access to administration when no owner can sign in
//   npm run reseal:secrets   seals stored secrets with the first VAULT_SECRET
//   npm run reconcile:files  compares stored objects with their files after a restore
//   npm run telemetry        changes the log level and sampling ratio of running services for a while
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from './build.mjs';
import { main, rootDir, run } from './run.mjs';

/**
 * Settings that a command needs besides DATABASE_URL, by the name of its file.
 * @type {Record<string, string | undefined>}
 */
const settings = {
  'billing-sync': "Stripe's keys",
  'check-ledger': 'the storage settings',
  'reconcile-files': 'the storage settings',
  'reseal-secrets': 'VAULT_SECRET',
};

const [command, ...args] = process.argv.slice(2);

await main(async () => {
  const dataDir = process.env.DATA_DIR || join(rootDir, '.data');
  const envFile = join(dataDir, 'env.json');
  if (!process.env.DATABASE_URL && !existsSync(envFile)) {
    const others = settings[command] ? ` and ${settings[command]}` : '';
    throw new Error(`The product is not running. Run \`npm start\`, or set DATABASE_URL${others}.`);
  }
  const env = process.env.DATABASE_URL ? {} : JSON.parse(readFileSync(envFile, 'utf8'));
  await build();
  return run('node', [`services/dispatcher/dist/${command}.js`, ...args], { DATA_DIR: dataDir, ...env });
});
