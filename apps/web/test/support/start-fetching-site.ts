import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { readConfig } from '@uprez/gateway/config';
import { openDeps } from '@uprez/gateway/deps';
import { startGateway } from '@uprez/gateway/start-gateway';
import { pullModel } from '@uprez/models/pull-model';
import { openLogger } from '@uprez/runtime/open-logger';
import { openTestDatabase } from '@uprez/testing/open-test-database';
import { openTlsSite, type TlsSite } from '@uprez/testing/open-tls-site';
import { getServices } from '@uprez/testing/provided-services';
import { startTestProduct } from '@uprez/testing/start-test-product';

const modelsDir = fileURLToPath(new URL('../../../../.data/models', import.meta.url));

/** A port that is free now: links in answers begin with the public address, which must be known before. */
async function findPort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return String(port);
}

/**
 * A gateway in this process beside a worker with its real network. The gateway finds the given pages under
 * `https://images.example`, and its own links work.
 */
export async function startFetchingSite(pages: Parameters<typeof openTlsSite>[0]) {
  await pullModel({ modelsDir, id: 'photo-fast' });
  const [database, site, port]: [Awaited<ReturnType<typeof openTestDatabase>>, TlsSite, string] = await Promise.all([
    openTestDatabase(),
    openTlsSite(pages),
    findPort(),
  ]);
  const product = await startTestProduct({
    databaseUrl: database.url,
    redisUrl: getServices().redisUrl,
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
      await Promise.all([database.close(), site.close()]);
    },
  };
}
