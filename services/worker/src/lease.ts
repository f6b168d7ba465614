import { isDatabaseUnavailable } from '@uprez/db/database-errors';
import { type Attempt, renewLease } from '@uprez/domain/jobs/attempts/claim-next-job';
import type { Deps } from './deps.ts';

const progressEveryMs = 1_000;
/** A canceled job keeps its slot for so long at most before it is stopped. */
const renewEveryMs = 2_000;

export type Lease = {
  /** Aborts when the job is cancelled or belongs to another worker. */
  lost: AbortSignal;
  /** Report progress, 0-1. It is written at most once a second. */
  reportProgress: (share: number) => void;
  /** Stop renewing, once a renewal in progress has ended. */
  close: () => Promise<void>;
};

/**
 * Renew the lease of an attempt every 2 s, or three times per shorter lease, and whenever its progress changes, until closed or
 * lost.
 */
export function openLease(deps: Pick<Deps, 'db' | 'publisher' | 'config' | 'log'>, attempt: Attempt): Lease {
  const leaseS = deps.config.LEASE_S;
  const lost = new AbortController();
  let share = 0;
  let writtenPercent = 0;
  // A monotonic clock: with one that is set back, the lease would expire before it is due.
  let renewedAt = performance.now();
  let renewing: Promise<void> | undefined;

  const renew = async () => {
    const percent = Math.min(99, Math.floor(share * 100));
    const progress = percent > writtenPercent ? { progress: percent } : {};
    try {
      const isOwned = await renewLease(deps, { ...attempt, leaseS, ...progress });
      writtenPercent = Math.max(writtenPercent, percent);
      renewedAt = performance.now();
      if (!isOwned) lost.abort();
    } catch (error) {
      deps.log.warn({ err: error, ...attempt }, 'lease renewal failed');
      if (!isDatabaseUnavailable(error) || performance.now() - renewedAt > leaseS * 1_000) lost.abort();
    }
  };
  const tick = () => {
    const isDue = performance.now() - renewedAt >= Math.min(renewEveryMs, (leaseS * 1_000) / 3);
    const hasProgress = Math.floor(share * 100) > writtenPercent;
    if (renewing || lost.signal.aborted || !(isDue || hasProgress)) return;
    renewing = renew().finally(() => {
      renewing = undefined;
    });
  };
  const timer = setInterval(tick, Math.min(progressEveryMs, (leaseS * 1_000) / 6));
  return {
    lost: lost.signal,
    reportProgress: (done) => {
      share = done;
    },
    close: async () => {
      clearInterval(timer);
      await renewing;
    },
  };
}
