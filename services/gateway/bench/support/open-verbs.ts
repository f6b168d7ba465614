import { openJobPublisher } from '@uprez/queue/open-job-channel';
import { openQueue } from '@uprez/queue/open-queue';
import type { TestProduct } from '@uprez/testing/products/start-test-product';

const silent = { info: () => {}, warn: () => {}, error: () => {} };

/** What verbs need, on the servers of a running product. */
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
