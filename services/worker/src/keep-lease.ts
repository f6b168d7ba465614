import { isDatabaseUnavailable } from '@uprez/db/is-database-unavailable';
import { type Attempt, renewLease } from '@uprez/domain/jobs/renew-lease';
import type { Deps } from './deps.ts';

const progressEveryMs = 1_000;

export type Lease = {
  /** Aborted when the job is no longer ours (cancelled, or given to another worker). */
  lost: AbortSignal;
  /** Report progress, 0-1; written at most once a second. */
  progress: (share: number) => void;
  stop: () => Promise<void>;
};

/** Renew an attempt's lease three times in its length, and with its progress, until stopped or lost. */
export function keepLease(deps: Pick<Deps, 'db' | 'publisher' | 'config' | 'log'>, attempt: Attempt): Lease {
  const leaseS = deps.config.LEASE_S;
  const lost = new AbortController();
  let share = 0;
  let written = 0;
  let renewedAt = Date.now();
  let running: Promise<void> | undefined;

  const renew = async () => {
    const percent = Math.min(99, Math.floor(share * 100));
    const progress = percent > written ? { progress: percent } : {};
    try {
      const ours = await renewLease(deps, { ...attempt, leaseS, ...progress });
      written = Math.max(written, percent);
      renewedAt = Date.now();
      if (!ours) lost.abort();
    } catch (error) {
      deps.log.warn({ err: error, ...attempt }, 'a lease was not renewed');
      if (!isDatabaseUnavailable(error) || Date.now() - renewedAt > leaseS * 1_000) lost.abort();
    }
  };
  const tick = () => {
    const due = Date.now() - renewedAt >= (leaseS * 1_000) / 3;
    const moved = Math.floor(share * 100) > written;
    if (running || lost.signal.aborted || !(due || moved)) return;
    running = renew().finally(() => {
      running = undefined;
    });
  };
  const timer = setInterval(tick, Math.min(progressEveryMs, (leaseS * 1_000) / 6));
  return {
    lost: lost.signal,
    progress: (done) => {
      share = done;
    },
    stop: async () => {
      clearInterval(timer);
      await running;
    },
  };
}
