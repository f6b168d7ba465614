import type { Wake } from '@uprez/contracts/schemas/job-messages';
import { Queue } from 'bullmq';
import { imageQueue } from './message-catalog.ts';
import { openRedisClient } from './open-redis-client.ts';

/** A job to wake workers for: the attempt that would come next, and how long from now. */
export type WakeUp = { jobId: string; nextAttempt: number; delayMs?: number };

export type QueueOptions = { url: string; prefix: string; onError: (error: Error) => void };

export type WakeQueue = {
  /** Add a message for each job. Adding one that Redis still holds changes nothing. Rejects at once when Redis is away. */
  wake: (jobs: readonly WakeUp[]) => Promise<void>;
  /** False once after Redis lost its data or is new. */
  keepsEpoch: () => Promise<boolean>;
  /** Throws when Redis cannot be reached. */
  ping: () => Promise<void>;
  close: () => Promise<void>;
};

/** Open the sending side of the one queue. */
export function openQueue({ url, prefix, onError }: QueueOptions): WakeQueue {
  const connection = openRedisClient(url, 'command', onError);
  // BullMQ reads the server's version once, at the start, and stays broken if it cannot: so it starts when Redis is there.
  let queue: Queue<Wake> | undefined;
  connection.on('ready', () => {
    queue ??= new Queue<Wake>(imageQueue.name, { connection, prefix, skipWaitingForReady: true }).on('error', onError);
  });
  return {
    wake: async (jobs) => {
      if (!queue || connection.status !== 'ready') throw new Error('Redis cannot be reached.');
      await queue.addBulk(
        jobs.map(({ jobId, nextAttempt, delayMs }) => ({
          name: imageQueue.message,
          data: { jobId },
          opts: {
            jobId: `${jobId}-${nextAttempt}`,
            delay: Math.ceil(delayMs ?? 0),
            attempts: 1,
            removeOnComplete: true,
            removeOnFail: true,
          },
        })),
      );
    },
    keepsEpoch: async () => (await connection.set(`${prefix}:epoch`, '1', 'NX')) === null,
    ping: async () => {
      await connection.ping();
    },
    close: async () => {
      await queue?.close();
      connection.disconnect();
    },
  };
}
