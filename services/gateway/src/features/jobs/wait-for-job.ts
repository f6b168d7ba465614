import { isFinal } from '@uprez/contracts/policy/job-status';
import { type Actor, isSandbox } from '@uprez/domain/actor';
import { getJob, type JobWithFiles } from '@uprez/domain/jobs/get-job';
import type { Deps } from '../../deps.ts';

/** Hints may be lost; so often everybody looks for himself. */
export const pollMs = 1_000;

export type Wait = { actor: Actor; jobId: string; seconds: number; signal: AbortSignal };
type WaitDeps = Pick<Deps, 'db' | 'subscriber'>;

/** The job once it is finished, or as it is when the time is over or the caller has gone. */
export const waitForJob = (deps: WaitDeps, { actor, ...wait }: Wait): Promise<JobWithFiles> =>
  waitForChange(deps, {
    ...wait,
    channel: isSandbox(actor) ? wait.jobId : actor.accountId,
    read: () => getJob(deps, { actor, id: wait.jobId }),
  });

export type Watch = Omit<Wait, 'actor'> & { channel: string; read: () => Promise<JobWithFiles> };

/** The same for a job that is read and watched in its own way. Hints make it quick, a poll makes it sure. */
export async function waitForChange(deps: WaitDeps, { channel, jobId, read, ...wait }: Watch): Promise<JobWithFiles> {
  const { signal } = wait;
  const deadline = Date.now() + wait.seconds * 1_000;
  let wake = () => {};
  const unsubscribe = deps.subscriber.subscribe(channel, (change) => change.jobId === jobId && wake());
  try {
    for (;;) {
      const hint = new Promise<void>((resolve) => {
        wake = resolve;
      });
      const found = await read();
      const left = deadline - Date.now();
      if (isFinal(found.job.status) || left <= 0 || signal.aborted) return found;
      await hintOrTime(hint, Math.min(left, pollMs), signal);
    }
  } finally {
    unsubscribe();
  }
}

/** Until the hint comes, the time is over or the signal aborts. */
export function hintOrTime(hint: Promise<void>, ms: number, signal: AbortSignal): Promise<void> {
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
