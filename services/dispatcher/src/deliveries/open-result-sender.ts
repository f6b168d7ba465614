import { setMaxListeners } from 'node:events';
import { limits } from '@uprez/contracts/policy/limits';
import { claimResult, uploadResult } from '@uprez/domain/batches/deliver-result';
import type { Needs } from '@uprez/domain/context';
import { openFreeShare } from '@uprez/domain/open-free-share';
import { reportLimit } from '@uprez/domain/report-limit';
import { repeat } from '@uprez/runtime/repeat';

/** Grace period for running uploads when the process stops. */
const drainMs = 3_000;

type SenderDeps = Needs<'db' | 'storage' | 'vault' | 'network' | 'log'>;
export type ResultSender = { close: () => Promise<void> };

/** Opens the sender that uploads results of batches to their target URLs. Safe to run in several processes. */
export function openResultSender(deps: SenderDeps, everyMs: number): ResultSender {
  const stop = new AbortController();
  const closing = new AbortController();
  setMaxListeners(0, stop.signal);
  const running = new Set<Promise<void>>();
  const claims = openFreeShare(limits.freeResultSlots, (withFree) => claimResult(deps, { withFree }));
  const sendAll = async () => {
    while (!closing.signal.aborted) {
      const claimed = await claims.next();
      if (!claimed) return;
      // Starts another upload, because more results may be waiting.
      start();
      await uploadResult(deps, claimed, stop.signal).finally(() => claims.release(claimed));
    }
  };
  const start = () => {
    if (closing.signal.aborted) return;
    if (running.size >= limits.resultSlots) return reportLimit('delivery_slots');
    const run = sendAll()
      .catch((error: unknown) => {
        if (!stop.signal.aborted) deps.log.warn({ err: error }, 'delivering results failed, will retry');
      })
      .finally(() => running.delete(run));
    running.add(run);
  };
  const polling = repeat(
    everyMs,
    async () => {
      if (running.size < limits.resultSlots) start();
    },
    (error) => deps.log.warn({ err: error }, 'polling for results failed'),
  );
  return {
    close: async () => {
      closing.abort();
      await polling.close();
      const timer = setTimeout(() => stop.abort(), drainMs);
      await Promise.all(running);
      clearTimeout(timer);
    },
  };
}
