import { fileURLToPath } from 'node:url';
import { pullModel } from '@uprez/models/pull-model';
import { openTestDatabase } from '@uprez/testing/open-test-database';
import { startTestProduct } from '@uprez/testing/start-test-product';
import { inject } from 'vitest';

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
