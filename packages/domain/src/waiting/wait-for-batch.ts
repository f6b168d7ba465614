import { type Actor, isSandbox } from '../actor.ts';
import { type BatchWithItems, getBatch, isSettled } from '../batches/get-batch.ts';
import { messageOrTimeout, pollMs, type WaitContext } from './wait-for-job.ts';

type BatchWait = { actor: Actor; batchId: string; seconds: number; signal: AbortSignal };

/** The batch, once all of its items have ended, `seconds` are over, or the signal aborts. */
export async function waitForBatch(ctx: WaitContext, wait: BatchWait): Promise<BatchWithItems> {
  const { actor, batchId, signal } = wait;
  const deadline = Date.now() + wait.seconds * 1_000;
  const messages = openMessages(ctx, actor);
  try {
    for (;;) {
      const message = messages.next();
      const found = await getBatch(ctx, { actor, id: batchId });
      // Read again: the jobs may have changed before the subscription.
      if (messages.listen(found)) continue;
      const left = deadline - Date.now();
      if (found.items.every(isSettled) || left <= 0 || signal.aborted) return found;
      await messageOrTimeout(message, Math.min(left, pollMs), signal);
    }
  } finally {
    messages.close();
  }
}

/** Messages about jobs of a batch: on the channel of the account, or in the sandbox on one channel per job. */
function openMessages({ subscriber }: WaitContext, actor: Actor) {
  const jobs = new Set<string>();
  const channels = new Map<string, () => void>();
  let wake = () => {};
  return {
    next: () =>
      new Promise<void>((resolve) => {
        wake = resolve;
      }),
    /** Subscribes to the jobs of a batch. Returns whether any of them is new. */
    listen: ({ items }: BatchWithItems): boolean => {
      const before = jobs.size;
      for (const { item } of items) if (item.jobId) jobs.add(item.jobId);
      for (const channel of isSandbox(actor) ? jobs : [actor.accountId])
        if (!channels.has(channel))
          channels.set(
            channel,
            subscriber.subscribe(channel, ({ jobId }) => jobs.has(jobId) && wake()),
          );
      return jobs.size > before;
    },
    close: () => {
      for (const stop of channels.values()) stop();
    },
  };
}
