import type { Actor } from '@uprez/domain/actor';
import { type BatchWithItems, getBatch, isSettled } from '@uprez/domain/batches/get-batch';
import type { Deps } from '../deps.ts';
import { hintOrTime, pollMs } from './wait-for-job.ts';

export type BatchWait = { actor: Actor; batchId: string; seconds: number; signal: AbortSignal };

/** The batch once nothing of it waits or runs, or as it is when the time is over or the caller has gone. */
export async function waitForBatch(deps: Pick<Deps, 'db' | 'subscriber'>, wait: BatchWait): Promise<BatchWithItems> {
  const { actor, batchId, signal } = wait;
  const deadline = Date.now() + wait.seconds * 1_000;
  const jobs = new Set<string>();
  let wake = () => {};
  const unsubscribe = deps.subscriber.subscribe(actor.accountId, ({ jobId }) => jobs.has(jobId) && wake());
  try {
    for (;;) {
      const hint = new Promise<void>((resolve) => {
        wake = resolve;
      });
      const found = await getBatch(deps, actor, batchId);
      for (const { item } of found.items) if (item.job_id) jobs.add(item.job_id);
      const left = deadline - Date.now();
      if (found.items.every(isSettled) || left <= 0 || signal.aborted) return found;
      await hintOrTime(hint, Math.min(left, pollMs), signal);
    }
  } finally {
    unsubscribe();
  }
}
