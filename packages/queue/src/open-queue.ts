import { setTimeout } from 'node:timers/promises';
import { type Wake, wakeSchema } from '@uprez/contracts/schemas/job-messages';
import { Queue, Worker } from 'bullmq';
import { checkRedisSettings } from './check-redis-settings.ts';
import { openRedisClient } from './open-redis-client.ts';

/** The queue of shared workers, that of a pool, and their message. Stored names: never rename them. */
const nameQueue = (pool: string | null | undefined) => (pool ? `image.${pool}` : 'image');
const messageName = 'wake';

/** A job to wake workers for: the attempt that would come next, how long from now, and their pool; null: shared workers. */
type WakeUp = { jobId: string; nextAttempt: number; delayMs?: number; pool?: string | null };

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

/** Open the sending side of the queues. */
export function openQueue({ url, prefix, onError }: QueueOptions): WakeQueue {
  const connection = openRedisClient(url, 'command', onError);
  // BullMQ reads the server's version once, at the start, and stays broken if it cannot: so it starts when Redis is there.
  const queues = new Map<string, Queue<Wake>>();
  const open = (pool?: string | null): Queue<Wake> => {
    const name = nameQueue(pool);
    const queue =
      queues.get(name) ?? new Queue<Wake>(name, { connection, prefix, skipWaitingForReady: true }).on('error', onError);
    queues.set(name, queue);
    return queue;
  };
  connection.on('ready', () => void open());
  return {
    wake: async (jobs) => {
      if (queues.size === 0 || connection.status !== 'ready') throw new Error('Redis cannot be reached.');
      const pools = [...new Set(jobs.map(({ pool }) => pool ?? null))];
      const of = (name: string | null) => jobs.filter(({ pool }) => (pool ?? null) === name);
      await Promise.all(pools.map((pool) => open(pool).addBulk(of(pool).map(toMessage))));
    },
    keepsEpoch: async () => (await connection.set(`${prefix}:epoch`, '1', 'NX')) === null,
    ping: async () => {
      await connection.ping();
    },
    checkSettings: () => checkRedisSettings(connection),
    close: async () => {
      await Promise.all([...queues.values()].map((queue) => queue.close()));
      connection.disconnect();
    },
  };
}

const toMessage = ({ jobId, nextAttempt, delayMs }: WakeUp) => ({
  name: messageName,
  data: { jobId },
  opts: {
    jobId: `${jobId}-${nextAttempt}`,
    delay: Math.ceil(delayMs ?? 0),
    attempts: 1,
    removeOnComplete: true,
    removeOnFail: true,
  },
});

export type ConsumerOptions = QueueOptions & {
  /** Of reserved workers. Undefined: of shared ones. */
  pool?: string | undefined;
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
export function openConsumer({ url, prefix, pool, concurrency, handle, onError }: ConsumerOptions): Consumer {
  const connection = openRedisClient(url, 'blocking', onError);
  const inHand = new Set<Promise<void>>();
  const take = async (data: unknown) => {
    const work = handle(wakeSchema.parse(data)).finally(() => inHand.delete(work));
    inHand.add(work);
    await work;
  };
  const worker = new Worker<Wake>(nameQueue(pool), (job) => take(job.data), {
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
