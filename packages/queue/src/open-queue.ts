import { setTimeout } from 'node:timers/promises';
import { type WakeMessage, wakeMessageSchema } from '@uprez/contracts/schemas/jobs/job-messages';
import { type Job, Queue, WaitingError, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import { openRedisClient } from './open-redis-client.ts';

/** For a pool, or for shared workers. Never rename queues, because Redis stores their names. */
const nameQueue = (pool: string | null | undefined) => (pool ? `image.${pool}` : 'image');
const messageName = 'wake';

/**
 * A job to wake workers for. `nextAttempt`: number of the job's next attempt. `delayMs`: time until workers are woken.
 * `pool`: null for shared workers.
 */
type WakeUp = { jobId: string; nextAttempt: number; delayMs?: number; pool?: string | null };

export type QueueOptions = { url: string; prefix: string; onError: (error: Error) => void };

export type WakeQueue = {
  /**
   * Adds a message for each job. Skips messages that Redis still holds. Rejects immediately while Redis is unavailable.
   */
  wake: (jobs: readonly WakeUp[]) => Promise<void>;
  /** Returns false on the first call after Redis was created or lost its data. */
  keepsEpoch: () => Promise<boolean>;
  ping: () => Promise<void>;
  /** Rejects if Redis may lose keys because of its settings. Resolves while Redis can't be reached. */
  checkSettings: () => Promise<void>;
  close: () => Promise<void>;
};

/** Opens the sending side of the queues. */
export function openQueue({ url, prefix, onError }: QueueOptions): WakeQueue {
  const connection = openRedisClient(url, 'command', onError);
  // BullMQ reads the server's version only once, when it starts, and doesn't recover if that fails. For this reason,
  // queues are opened only once Redis is connected.
  const queues = new Map<string, Queue<WakeMessage>>();
  const open = (pool?: string | null): Queue<WakeMessage> => {
    const name = nameQueue(pool);
    const queue =
      queues.get(name) ??
      new Queue<WakeMessage>(name, { connection, prefix, skipWaitingForReady: true }).on('error', onError);
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
  /** Pool of reserved workers. Undefined for shared workers. */
  pool?: string | undefined;
  /** Maximum number of messages handled concurrently. 0 for none until `setConcurrency` is called. */
  concurrency: number;
  /** Whether a message can be handled. If not, the message returns to the queue for another consumer. */
  canHandle?: () => boolean;
  /**
   * Called for each message. A message only signals that work may be available. Rejections are passed to `onError` and
   * not retried, because PostgreSQL schedules retries.
   */
  handle: (wake: WakeMessage) => Promise<void>;
};

/**
 * Maximum time that a closing consumer waits for Redis after its last message. BullMQ would wait forever while Redis is
 * unavailable.
 */
const closeGraceMs = 1_000;

export type Consumer = {
  /** Changes the number of messages handled concurrently. With 0, other consumers get all messages. */
  setConcurrency: (concurrency: number) => void;
  close: () => Promise<void>;
};

/**
 * Opens the receiving side of a queue. `close` stops taking messages and waits for messages in progress, but not for an
 * unavailable Redis.
 */
export function openConsumer(options: ConsumerOptions): Consumer {
  const { url, prefix, pool, concurrency, canHandle = () => true, handle, onError } = options;
  const connection = openRedisClient(url, 'blocking', onError);
  const inHand = new Set<Promise<void>>();
  const take = async (job: Job<WakeMessage>, token?: string) => {
    if (!canHandle()) {
      await job.moveToWait(token);
      throw new WaitingError();
    }
    const work = handle(wakeMessageSchema.parse(job.data)).finally(() => inHand.delete(work));
    inHand.add(work);
    await work;
  };
  const worker = new Worker<WakeMessage>(nameQueue(pool), take, {
    connection,
    prefix,
    maxStalledCount: 0,
    autorun: false,
  });
  worker.on('error', onError);
  worker.on('failed', (_job, error) => onError(error));
  let isStarted = false;
  let isClosed = false;
  const setConcurrency = (count: number) => {
    if (isClosed) return;
    if (count === 0) return void (isStarted && worker.pause(true).catch(onError));
    worker.concurrency = count;
    if (isStarted) return void worker.resume();
    isStarted = true;
    worker.run().catch(onError);
  };
  if (concurrency > 0) setConcurrency(concurrency);
  return {
    setConcurrency,
    close: async () => {
      isClosed = true;
      const closing = worker.close();
      await Promise.allSettled(inHand);
      await Promise.race([closing, setTimeout(closeGraceMs, undefined, { ref: false })]);
      connection.disconnect();
    },
  };
}

/**
 * Throws an error that names the setting that lets Redis lose keys: an eviction policy, or no append-only file. Reads
 * INFO, because managed servers don't offer CONFIG. Passes while Redis can't be reached.
 */
async function checkRedisSettings(connection: Redis): Promise<void> {
  const info = await connection.info().catch(() => undefined);
  if (info === undefined) return;
  const policy = /^maxmemory_policy:(\S+)/m.exec(info)?.[1];
  if (policy !== 'noeviction') throw new Error(`maxmemory-policy is ${policy}, and must be noeviction`);
  if (!/^aof_enabled:1/m.test(info)) throw new Error('appendonly is no, and must be yes');
}
