import type { Actor } from '../actor.ts';
import { getJob, type JobWithFiles, listChangedJobs } from '../jobs/get-job.ts';
import type { WaitContext } from './wait-for-job.ts';

type Follow = { actor: Actor; lastEventUs: number | undefined; signal: AbortSignal };

/**
 * Yields an account's jobs as they change, starting with the changes after `lastEventUs`, until the signal aborts. Reads
 * one job at a time: an older state never follows a newer one, and slow readers skip states.
 */
export async function followJobs(ctx: WaitContext, { actor, lastEventUs, signal }: Follow) {
  const changed = new Set<string>();
  let wake = () => {};
  const unsubscribe = ctx.subscriber.subscribe(actor.accountId, ({ jobId }) => {
    changed.add(jobId);
    wake();
  });
  signal.addEventListener('abort', () => wake(), { once: true });
  const pause = () =>
    new Promise<void>((resolve) => {
      wake = resolve;
      if (changed.size > 0 || signal.aborted) resolve();
    });
  const missed = await listChangedJobs(ctx, { actor, lastEventUs }).catch((error: unknown) => {
    unsubscribe();
    throw error;
  });
  return follow();

  async function* follow(): AsyncGenerator<JobWithFiles> {
    try {
      yield* missed;
      for (; !signal.aborted; await pause()) {
        for (const jobId of changed) {
          changed.delete(jobId);
          yield await getJob(ctx, { actor, id: jobId });
        }
      }
    } finally {
      unsubscribe();
    }
  }
}
