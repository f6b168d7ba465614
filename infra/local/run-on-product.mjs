import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from './build.mjs';
import { rootDir, run } from './run.mjs';

/**
 * Runs a built file on the servers of a running `npm start`, or of DATABASE_URL, with the arguments of this process.
 * @param {string} file relative to the root folder
 * @param {string} [others] settings that are needed besides DATABASE_URL
 */
export async function runOnProduct(file, others) {
  const dataDir = process.env.DATA_DIR || join(rootDir, '.data');
  const envFile = join(dataDir, 'env.json');
  if (!process.env.DATABASE_URL && !existsSync(envFile)) {
    throw new Error(
      `The product is not running. Run \`npm start\`, or set DATABASE_URL${others ? ` and ${others}` : ''}.`,
    );
  }
  const env = process.env.DATABASE_URL ? {} : JSON.parse(readFileSync(envFile, 'utf8'));
  await build();
  return run('node', [file, ...process.argv.slice(2)], { DATA_DIR: dataDir, ...env });
}
