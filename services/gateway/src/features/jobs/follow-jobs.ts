import type { Actor } from '@uprez/domain/actor';
import { getJob, type JobWithFiles } from '@uprez/domain/jobs/get-job';
import { listChangedJobs } from '@uprez/domain/jobs/list-jobs';
import type { Deps } from '../../deps.ts';

export type Follow = { actor: Actor; lastEventUs: number | undefined; signal: AbortSignal };
type FollowDeps = Pick<Deps, 'db' | 'subscriber'>;

/**
 * An account's jobs as they change, beginning with what a caller who last saw `lastEventUs` has missed. One job is read
 * at a time, so that an older state never follows a newer one, and a slow reader skips states instead of piling them up.
 * Ends with the signal.
 */
export async function followJobs(deps: FollowDeps, { actor, lastEventUs, signal }: Follow) {
  const changed = new Set<string>();
  let wake = () => {};
  const unsubscribe = deps.subscriber.subscribe(actor.accountId, ({ jobId }) => {
    changed.add(jobId);
    wake();
  });
  signal.addEventListener('abort', () => wake(), { once: true });
  const pause = () =>
    new Promise<void>((resolve) => {
      wake = resolve;
      if (changed.size > 0 || signal.aborted) resolve();
    });
  const missed = await listChangedJobs(deps, { actor, lastEventUs }).catch((error: unknown) => {
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
          yield await getJob(deps, { actor, id: jobId });
        }
      }
    } finally {
      unsubscribe();
    }
  }
}
