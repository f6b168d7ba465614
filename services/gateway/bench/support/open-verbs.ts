import { openJobPublisher } from '@uprez/queue/open-job-channel';
import { openQueue } from '@uprez/queue/open-queue';
import { startBenchProduct, type TestProduct } from '@uprez/testing/products/start-test-product';

const silent = { info: () => {}, warn: () => {}, error: () => {} };

/** The context of domain functions on the servers of a running product. */
export function openVerbs({ db, storage, env }: TestProduct) {
  const redis = { url: env.REDIS_URL ?? '', prefix: env.QUEUE_PREFIX ?? '', onError: () => {} };
  const queue = openQueue(redis);
  const publisher = openJobPublisher(redis);
  return {
    db,
    storage,
    queue,
    publisher,
    log: silent,
    close: () => Promise.all([queue.close(), publisher.close()]),
  };
}

/**
 * Starts the gateway without rate limits and opens the context of domain functions. `close` ends both. All clients of a
 * bench share one address.
 */
export async function startGatewayBench() {
  const env = { RATE_LIMIT_SCALE: '1000000', MAX_CONNECTIONS_PER_ADDRESS: '10000' };
  const product = await startBenchProduct({ services: ['gateway'], env });
  const verbs = openVerbs(product);
  return {
    product,
    verbs,
    close: async () => {
      await verbs.close();
      await product.close();
    },
  };
}
