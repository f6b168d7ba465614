import type { Wake } from '@uprez/contracts/job-messages';
import { Worker } from 'bullmq';
import { imageQueue } from './message-catalog.ts';
import type { QueueOptions } from './open-queue.ts';
import { openRedisClient } from './open-redis-client.ts';

export type ConsumerOptions = QueueOptions & {
  /** Messages handled at once: one for each slot. */
  concurrency: number;
  /** Called for each message: "there is work". A rejection is reported and forgotten; PostgreSQL decides retries. */
  handle: (wake: Wake) => Promise<void>;
};

/** Open the receiving side. `close` stops taking messages and waits for those in hand. */
export function openConsumer({ url, prefix, concurrency, handle, onError }: ConsumerOptions): {
  close: () => Promise<void>;
} {
  const connection = openRedisClient(url, 'blocking', onError);
  const worker = new Worker<Wake>(imageQueue.name, async (job) => handle(imageQueue.schema.parse(job.data)), {
    connection,
    prefix,
    concurrency,
    maxStalledCount: 0,
  });
  worker.on('error', onError);
  worker.on('failed', (_job, error) => onError(error));
  return {
    close: async () => {
      await worker.close();
      connection.disconnect();
    },
  };
}
