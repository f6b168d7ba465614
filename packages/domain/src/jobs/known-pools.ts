import type { Db } from '@uprez/db/database';
import { hasPools } from '@uprez/db/queries/jobs/pools';
import { makeRecentReads } from '../make-recent-reads.ts';

/**
 * A worker that starts creates its pool. Until a process knows of the first one, it sends messages of jobs to shared workers
 * only. The dispatcher repeats them after 12 sweeps, like messages that Redis lost.
 */
const freshMs = 2_000;

const makeReads = () => makeRecentReads<boolean>({ freshMs, entries: 1 });
const reads = new WeakMap<Db, ReturnType<typeof makeReads>>();

/** Whether the installation has pools, as of the last 2 seconds. */
export function knowsPools(db: Db): Promise<boolean> {
  const held = reads.get(db) ?? makeReads();
  reads.set(db, held);
  return held.read('pools', () => hasPools(db));
}

/** Discards what is known after a write by this process. */
export const forgetPools = (db: Db): boolean => reads.delete(db);
