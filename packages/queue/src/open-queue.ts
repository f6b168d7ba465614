import { setTimeout } from 'node:timers/promises';
import { type Wake, wakeSchema } from '@uprez/contracts/schemas/job-messages';
import { Queue, Worker } from 'bullmq';
import { checkRedisSettings } from './check-redis-settings.ts';
import { openRedisClient } from './open-redis-client.ts';

/** The one queue and its message. Stored names: never rename them. */
const queueName = 'image';
const messageName = 'wake';

/** A job to wake workers for: the attempt that would come next, and how long from now. */
type WakeUp = { jobId: string; nextAttempt: number; delayMs?: number };

export type QueueOptions = { url: string; prefix: string; onError: (error: Error) => void };

export type WakeQueue = {
  /** Add a message for each job. Adding one that Redis still holds changes nothing. Rejects at once when Redis is away. */
  wake: (jobs: readonly WakeUp[]) => Promise<void>;
  /** False once after Redis lost its data or is new. */
  keepsEpoch: () => Promise<boolean>;
  ping: () => Promise<void>;
  /** Rejects when Redis may lose keys because of its settings. Resolves while it can't be reached. */
  checkSettings: () => Promise<void>;
  close: () => Promise<void>;
};

/** Open the sending side of the one queue. */
export function openQueue({ url, prefix, onError }: QueueOptions): WakeQueue {
  const connection = openRedisClient(url, 'command', onError);
  // BullMQ reads the server's version once, at the start, and stays broken if it cannot: so it starts when Redis is there.
  let queue: Queue<Wake> | undefined;
  connection.on('ready', () => {
    queue ??= new Queue<Wake>(queueName, { connection, prefix, skipWaitingForReady: true }).on('error', onError);
  });
  return {
    wake: async (jobs) => {
      if (!queue || connection.status !== 'ready') throw new Error('Redis cannot be reached.');
      await queue.addBulk(
        jobs.map(({ jobId, nextAttempt, delayMs }) => ({
          name: messageName,
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
    checkSettings: () => checkRedisSettings(connection),
    close: async () => {
      await queue?.close();
      connection.disconnect();
    },
  };
}

export type ConsumerOptions = QueueOptions & {
  /** Messages handled at once: one for each slot. */
  concurrency: number;
  /** Called for each message: "there is work". A rejection is reported and forgotten; PostgreSQL decides retries. */
  handle: (wake: Wake) => Promise<void>;
};

/** How long a consumer that closes waits for Redis once nothing is in hand. BullMQ would wait for ever for one that is away. */
const closeGraceMs = 1_000;

export type Consumer = {
  /** Leave messages to other consumers, or take them again. */
  setPaused: (isPaused: boolean) => Promise<void>;
  close: () => Promise<void>;
};

/** Open the receiving side. `close` stops taking messages and waits for those in hand, but not for a Redis that is away. */
export function openConsumer({ url, prefix, concurrency, handle, onError }: ConsumerOptions): Consumer {
  const connection = openRedisClient(url, 'blocking', onError);
  const inHand = new Set<Promise<void>>();
  const take = async (data: unknown) => {
    const work = handle(wakeSchema.parse(data)).finally(() => inHand.delete(work));
    inHand.add(work);
    await work;
  };
  const worker = new Worker<Wake>(queueName, (job) => take(job.data), {
    connection,
    prefix,
    concurrency,
    maxStalledCount: 0,
  });
  worker.on('error', onError);
  worker.on('failed', (_job, error) => onError(error));
  return {
    setPaused: async (isPaused) => {
      if (isPaused) await worker.pause(true);
      else await worker.resume();
    },
    close: async () => {
      const closing = worker.close();
      await Promise.allSettled(inHand);
      await Promise.race([closing, setTimeout(closeGraceMs, undefined, { ref: false })]);
      connection.disconnect();
    },
  };
}
