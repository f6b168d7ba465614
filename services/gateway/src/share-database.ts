import { makeFairQueue } from '@uprez/domain/make-fair-queue';
import type { Admit } from '@uprez/domain/open-connections';
import { withTimeout } from '@uprez/runtime/run-checks';
import { currentCaller } from './http/request-callers.ts';

const halfLifeMs = 10_000;
/** As long as the pool waits for a connection. */
const waitMs = 5_000;
/** The text of the pool's own error, by which `isDatabaseUnavailable` recognizes both. */
const lateText = 'timeout exceeded when trying to connect';

/**
 * Shares the connections of a pool among callers by the time that they used them recently, because the pool itself
 * serves queries in their order: those of one caller that sends many requests at once would delay everyone's.
 */
export function shareDatabase(poolSize: number): Admit {
  const queue = makeFairQueue({ slots: poolSize, halfLifeMs });
  return async () => {
    const entering = queue.enter(currentCaller());
    return withTimeout(waitMs, entering, () => new Error(lateText)).catch((error: unknown) => {
      void entering.then((leave) => leave());
      throw error;
    });
  };
}
