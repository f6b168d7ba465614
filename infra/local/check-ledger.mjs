// npm run check:ledger: compares the ledger with job states and stored objects, on the servers of a running `npm start` or
// of DATABASE_URL.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, install } from './install.mjs';
import { main, rootDir, run } from './run.mjs';

await main(async () => {
  const dataDir = process.env.DATA_DIR || join(rootDir, '.data');
  const file = join(dataDir, 'env.json');
  if (!process.env.DATABASE_URL && !existsSync(file)) {
    throw new Error('The product is not running. Run `npm start`, or set DATABASE_URL and the storage settings.');
  }
  const env = process.env.DATABASE_URL ? {} : JSON.parse(readFileSync(file, 'utf8'));
  await install();
  await build();
  return run('node', ['services/dispatcher/dist/check-ledger.js', ...process.argv.slice(2)], {
    DATA_DIR: dataDir,
    ...env,
  });
});
