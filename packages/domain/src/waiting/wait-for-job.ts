import { AppError } from '@uprez/contracts/errors/app-error';
import { isFinalStatus } from '@uprez/contracts/policy/job-status';
import type { JobSubscriber } from '@uprez/queue/open-job-channel';
import { type Actor, isSandbox } from '../actor.ts';
import { type BatchWithItems, getBatch, isSettled } from '../batches/get-batch.ts';
import type { Needs } from '../context.ts';
import type { CreatedJob } from '../jobs/create-job.ts';
import { getJob, type JobWithFiles } from '../jobs/get-job.ts';
import type { QueueOrder } from '../jobs/open-queue-order.ts';

/** Jobs are polled because messages may be lost. */
const pollMs = 1_000;

export type WaitContext = Needs<'db'> & { subscriber: Pick<JobSubscriber, 'subscribe'> };
type WaitOptions = { seconds: number; signal: AbortSignal };

/**
 * Waits for the job that a request created. Returns the job when it ends, after `seconds`, or when the signal aborts.
 * Returns it immediately if it wasn't enqueued in Redis, because no worker will start it soon.
 */
export async function waitForJob(
  ctx: WaitContext & PositionContext,
  { actor, created, ...wait }: WaitOptions & { actor: Actor; created: CreatedJob },
): Promise<JobWithFiles> {
  const jobId = created.job.id;
  const read = () => getJob(ctx, { actor, id: jobId });
  const channel = isSandbox(actor) ? jobId : actor.accountId;
  const waits = created.woken && wait.seconds > 0;
  return addPosition(ctx, waits ? await waitForChange(ctx, { channel, jobId, read, ...wait }) : await read());
}

type JobWatch = { actor: Actor; jobId: string; sinceUs?: number | undefined; signal: AbortSignal };

/**
 * Yields a job's current state, and its state after each change, until the job ends or the signal aborts. Slow readers
 * skip states. `sinceUs`: time of the state that the caller already has, in microseconds since 1970. That state isn't
 * yielded.
 */
export async function* watchJob(
  ctx: WaitContext & PositionContext,
  { actor, jobId, sinceUs = -1, signal }: JobWatch,
): AsyncGenerator<JobWithFiles> {
  const { wake, next } = makeWaker();
  const channel = isSandbox(actor) ? jobId : actor.accountId;
  const unsubscribe = ctx.subscriber.subscribe(channel, (change) => change.jobId === jobId && wake());
  try {
    for (let seenUs = sinceUs; !signal.aborted; ) {
      const message = next();
      const found = await getJob(ctx, { actor, id: jobId });
      // Checks for a different time instead of a later one, because the client's time may be later than all changes to
      // the job, such as after a restore.
      if (found.job.updatedUs !== seenUs) yield await addPosition(ctx, found);
      if (isFinalStatus(found.job.status)) return;
      seenUs = found.job.updatedUs;
      await waitForMessage(message, pollMs, signal);
    }
  } finally {
    unsubscribe();
  }
}

type ChangeWait = WaitOptions & { channel: string; jobId: string; read: () => Promise<JobWithFiles> };

/**
 * Reads a job on each message in its channel, and at intervals. Returns the job when it ends, after `seconds`, or when
 * the signal aborts.
 */
export async function waitForChange(
  ctx: WaitContext,
  { channel, jobId, read, ...wait }: ChangeWait,
): Promise<JobWithFiles> {
  const { wake, next } = makeWaker();
  const unsubscribe = ctx.subscriber.subscribe(channel, (change) => change.jobId === jobId && wake());
  return readUntil(({ job }) => isFinalStatus(job.status), { ...wait, next, read }).finally(unsubscribe);
}

/** `next` returns a promise that the following `wake` resolves. */
function makeWaker() {
  let resolveNext = () => {};
  const next = () =>
    new Promise<void>((resolve) => {
      resolveNext = resolve;
    });
  return { wake: () => resolveNext(), next };
}

type ReadOptions<Found> = WaitOptions & { next: () => Promise<void>; read: () => Promise<Found> };

/**
 * Reads on each message, and at intervals. Returns the latest value when `isDone` returns true, after `seconds`, or
 * when the signal aborts.
 */
async function readUntil<Found>(
  isDone: (found: Found) => boolean,
  { seconds, signal, next, read }: ReadOptions<Found>,
) {
  const deadline = performance.now() + seconds * 1_000;
  for (;;) {
    const message = next();
    const found = await read();
    const left = deadline - performance.now();
    if (isDone(found) || left <= 0 || signal.aborted) return found;
    await waitForMessage(message, Math.min(left, pollMs), signal);
  }
}

function waitForMessage(message: Promise<void>, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done, { once: true });
    message.then(done, done);
  });
}

export type PositionContext = { queueOrder: Pick<QueueOrder, 'find'> };

export async function addPosition(ctx: PositionContext, found: JobWithFiles): Promise<JobWithFiles> {
  if (found.job.status !== 'queued') return found;
  const place = await ctx.queueOrder.find(found.job.id);
  return { ...found, queuePosition: place?.position, waitSeconds: place?.waitSeconds };
}

export function requireNotFailed({ job }: JobWithFiles): void {
  if (job.status !== 'failed' && job.status !== 'cancelled') return;
  throw new AppError(job.errorCode ?? 'internal', {
    // The limit was already counted when the job failed.
    limitName: null,
    ...(job.errorDetail && { detail: job.errorDetail }),
    ...(job.kind === 'sandbox' && { meta: { sandbox: true } }),
  });
}

type BatchWait = WaitOptions & { actor: Actor; batchId: string };

/** Waits for a batch and returns it when all of its items have ended, after `seconds`, or when the signal aborts. */
export function waitForBatch(ctx: WaitContext, { actor, batchId, ...wait }: BatchWait): Promise<BatchWithItems> {
  const { listen, next, close } = openMessages(ctx, actor);
  const read = async () => {
    for (;;) {
      const found = await getBatch(ctx, { actor, id: batchId });
      // Read again after subscribing, because the jobs may have changed before the subscription started.
      if (!listen(found)) return found;
    }
  };
  return readUntil(({ items }) => items.every(isSettled), { ...wait, next, read }).finally(close);
}

/** On the account's channel, or on one channel per job in the sandbox. */
function openMessages({ subscriber }: WaitContext, actor: Actor) {
  const jobIds = new Set<string>();
  const channels = new Map<string, () => void>();
  const { wake, next } = makeWaker();
  return {
    next,
    /** Subscribes to the jobs of a batch. Returns whether any of them is new. */
    listen: ({ items }: BatchWithItems): boolean => {
      const before = jobIds.size;
      for (const { item } of items) if (item.jobId) jobIds.add(item.jobId);
      for (const channel of isSandbox(actor) ? jobIds : [actor.accountId])
        if (!channels.has(channel))
          channels.set(
            channel,
            subscriber.subscribe(channel, ({ jobId }) => jobIds.has(jobId) && wake()),
          );
      return jobIds.size > before;
    },
    close: () => {
      for (const stop of channels.values()) stop();
    },
  };
}
