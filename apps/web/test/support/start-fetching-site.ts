import { readConfig } from '@uprez/gateway/config';
import { openDeps } from '@uprez/gateway/deps';
import { startGateway } from '@uprez/gateway/start-gateway';
import { findFreePort } from '@uprez/local-stack/find-free-port';
import { openLogger } from '@uprez/runtime/open-logger';
import { openTlsSite } from '@uprez/testing/network/open-tls-site';
import { pullTestModels, startIsolatedProduct } from '@uprez/testing/products/start-test-product';

/**
 * Starts a gateway in this process, and a worker and dispatcher with their normal network. The gateway fetches the
 * given pages at `https://images.example`, and its links lead to its actual port.
 */
export async function startFetchingSite(pages: Parameters<typeof openTlsSite>[0]) {
  const modelsDir = await pullTestModels();
  const site = await openTlsSite(pages);
  // Links start with the public URL, which must be known before the gateway listens.
  const port = String(await findFreePort());
  const product = await startIsolatedProduct({
    services: ['worker', 'dispatcher'],
    env: { MODELS_DIR: modelsDir, LEASE_S: '30' },
  });
  const url = `http://127.0.0.1:${port}`;
  const config = readConfig({ ...product.env, PORT: port, PUBLIC_URL: url, METRICS_PORT: '0', LOG_LEVEL: 'silent' });
  const logger = openLogger({ service: 'gateway', level: config.LOG_LEVEL });
  const gateway = await startGateway(config, logger, { ...openDeps(config, logger), network: site.network });
  return {
    url,
    product,
    close: async () => {
      await gateway.close();
      await product.close();
      await site.close();
    },
  };
}
