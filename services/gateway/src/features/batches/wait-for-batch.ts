import { type Actor, isSandbox } from '@uprez/domain/actor';
import { type BatchWithItems, getBatch, isSettled } from '@uprez/domain/batches/get-batch';
import type { Deps } from '../../deps.ts';
import { hintOrTime, pollMs } from '../jobs/wait-for-job.ts';

export type BatchWait = { actor: Actor; batchId: string; seconds: number; signal: AbortSignal };

type WaitDeps = Pick<Deps, 'db' | 'subscriber'>;

/** The batch once nothing of it waits or runs, or as it is when the time is over or the caller has gone. */
export async function waitForBatch(deps: WaitDeps, wait: BatchWait): Promise<BatchWithItems> {
  const { actor, batchId, signal } = wait;
  const deadline = Date.now() + wait.seconds * 1_000;
  const hints = openHints(deps, actor);
  try {
    for (;;) {
      const hint = hints.next();
      const found = await getBatch(deps, { actor, id: batchId });
      // What became of jobs before anybody listened to them has to be looked up.
      if (hints.listen(found)) continue;
      const left = deadline - Date.now();
      if (found.items.every(isSettled) || left <= 0 || signal.aborted) return found;
      await hintOrTime(hint, Math.min(left, pollMs), signal);
    }
  } finally {
    hints.close();
  }
}

/** Hints that jobs of a batch have changed: on the account's channel; those of the sandbox each on its own. */
function openHints({ subscriber }: WaitDeps, actor: Actor) {
  const jobs = new Set<string>();
  const channels = new Map<string, () => void>();
  let wake = () => {};
  const listenTo = (channel: string) => {
    if (!channels.has(channel))
      channels.set(
        channel,
        subscriber.subscribe(channel, ({ jobId }) => jobs.has(jobId) && wake()),
      );
  };
  return {
    next: () =>
      new Promise<void>((resolve) => {
        wake = resolve;
      }),
    /** Whether one of them is new. */
    listen: ({ items }: BatchWithItems): boolean => {
      const before = jobs.size;
      for (const { item } of items) if (item.jobId) jobs.add(item.jobId);
      for (const channel of isSandbox(actor) ? jobs : [actor.accountId]) listenTo(channel);
      return jobs.size > before;
    },
    close: () => {
      for (const stop of channels.values()) stop();
    },
  };
}
