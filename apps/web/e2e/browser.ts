import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { pullModel } from '@uprez/models/pull-model';
import { openTestDatabase } from '@uprez/testing/open-test-database';
import { startTestProduct } from '@uprez/testing/start-test-product';
import { type Browser, chromium } from 'playwright-core';
import { inject } from 'vitest';

const names = ['chromium', 'chromium-browser', 'google-chrome'];
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-dev-shm-usage',
];

/** Where a Chromium is: CHROMIUM_PATH, else on PATH. Throws where one is required and there is none. */
export function findChromium(): string | undefined {
  if (process.env.CHROMIUM_PATH) return process.env.CHROMIUM_PATH;
  const folders = (process.env.PATH ?? '').split(path.delimiter);
  const found = folders
    .flatMap((folder) => names.map((name) => path.join(folder, name)))
    .find((file) => existsSync(file));
  if (!found && process.env.REQUIRE_BROWSER) throw new Error('REQUIRE_BROWSER is set, but there is no Chromium.');
  return found;
}

export const launchBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: findChromium() ?? '', chromiumSandbox: false, args: flags });

const modelsDir = fileURLToPath(new URL('../../../.data/models', import.meta.url));

/** The whole product with its real network, for a browser to visit. */
export async function startSite() {
  await pullModel({ modelsDir, id: 'photo-fast' });
  const database = await openTestDatabase();
  const product = await startTestProduct({
    databaseUrl: database.url,
    redisUrl: inject('services').redisUrl,
    env: { MODELS_DIR: modelsDir, LEASE_S: '30' },
  });
  return {
    url: product.url,
    product,
    close: async () => {
      await product.close();
      await database.close();
    },
  };
}
