import { setTimeout } from 'node:timers/promises';
import type { Wake } from '@uprez/contracts/schemas/job-messages';
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

/** How long a consumer that closes waits for Redis once nothing is in hand. BullMQ would wait for ever for one that is away. */
const closeGraceMs = 1_000;

/** Open the receiving side. `close` stops taking messages and waits for those in hand, but not for a Redis that is away. */
export function openConsumer({ url, prefix, concurrency, handle, onError }: ConsumerOptions): {
  close: () => Promise<void>;
} {
  const connection = openRedisClient(url, 'blocking', onError);
  const inHand = new Set<Promise<void>>();
  const take = async (data: unknown) => {
    const work = handle(imageQueue.schema.parse(data)).finally(() => inHand.delete(work));
    inHand.add(work);
    await work;
  };
  const worker = new Worker<Wake>(imageQueue.name, (job) => take(job.data), {
    connection,
    prefix,
    concurrency,
    maxStalledCount: 0,
  });
  worker.on('error', onError);
  worker.on('failed', (_job, error) => onError(error));
  return {
    close: async () => {
      const closing = worker.close();
      await Promise.allSettled(inHand);
      await Promise.race([closing, setTimeout(closeGraceMs, undefined, { ref: false })]);
      connection.disconnect();
    },
  };
}
