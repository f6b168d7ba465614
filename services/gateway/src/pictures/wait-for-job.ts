import { isFinal } from '@uprez/contracts/job-status';
import type { Actor } from '@uprez/domain/actor';
import { getJob, type JobWithFiles } from '@uprez/domain/jobs/get-job';
import type { Deps } from '../deps.ts';

const pollMs = 1_000;

export type Wait = { actor: Actor; jobId: string; seconds: number; signal: AbortSignal };

/** The job once it is finished, or as it is when the time is over or the caller has gone. Hints make it quick, a poll makes it sure. */
export async function waitForJob(deps: Pick<Deps, 'db' | 'subscriber'>, wait: Wait): Promise<JobWithFiles> {
  const { actor, jobId, signal } = wait;
  const deadline = Date.now() + wait.seconds * 1_000;
  let wake = () => {};
  const unsubscribe = deps.subscriber.subscribe(actor.accountId, (change) => change.jobId === jobId && wake());
  try {
    for (;;) {
      const hint = new Promise<void>((resolve) => {
        wake = resolve;
      });
      const found = await getJob(deps, actor, jobId);
      const left = deadline - Date.now();
      if (isFinal(found.job.status) || left <= 0 || signal.aborted) return found;
      await hintOrTime(hint, Math.min(left, pollMs), signal);
    }
  } finally {
    unsubscribe();
  }
}

function hintOrTime(hint: Promise<void>, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done, { once: true });
    hint.then(done, done);
  });
}
