import { limits } from '@uprez/contracts/policy/limits';
import { makeFairQueue } from '@uprez/domain/make-fair-queue';
import type { Admit } from '@uprez/domain/open-connections';
import { withTimeout } from '@uprez/runtime/run-checks';
import { currentCaller, isUnproven } from './http/request-callers.ts';

const halfLifeMs = 10_000;
/** As long as the pool waits for a connection. */
const waitMs = 5_000;
/** The text of the pool's own error, by which `isDatabaseUnavailable` recognizes both. */
const lateText = 'timeout exceeded when trying to connect';

/**
 * Shares the connections of a pool among callers by the time that they used them recently, because the pool itself
 * serves queries in their order: those of one caller that sends many requests at once would delay everyone's. Callers
 * that haven't proven who they are share some of the connections, because their number costs an attacker nothing.
 */
export function shareDatabase(poolSize: number): Admit {
  const shareOf = (percent: number) => Math.max(1, Math.floor((poolSize * percent) / 100));
  const group = {
    includes: isUnproven,
    slots: shareOf(limits.unprovenConnectionsPercent),
    slotsEach: shareOf(limits.prefixConnectionsPercent),
  };
  const queue = makeFairQueue({ slots: poolSize, group, halfLifeMs });
  return async () => {
    const entering = queue.enter(currentCaller());
    return withTimeout(waitMs, entering, () => new Error(lateText)).catch((error: unknown) => {
      void entering.then((leave) => leave());
      throw error;
    });
  };
}
