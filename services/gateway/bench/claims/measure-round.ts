import type { Db } from '@uprez/db/database';
import { percentile } from '@uprez/testing/bench-report';
import type { Round } from '../load/claim-jobs.ts';
import type { openClaimers } from './open-claimers.ts';
import { readServer, sampleSessions } from './sample-server.ts';

type Bench = { db: Db; claimers: ReturnType<typeof openClaimers> };

/** Measures one round: times in milliseconds, CPU times and WAL per cycle, and sessions at a time by what they do. */
export async function measureRound({ db, claimers }: Bench, round: Round): Promise<Record<string, number>> {
  const before = await readServer(db);
  const sessions = sampleSessions(db);
  const results = await claimers.run(round);
  const waits = await sessions.stop();
  const after = await readServer(db);
  const cycles = results.reduce((sum, result) => sum + result.cycles, 0);
  const seconds = Math.max(...results.map(({ elapsedMs }) => elapsedMs)) / 1_000;
  const claimsMs = results.flatMap((result) => result.claimsMs);
  return {
    'cycles/s': cycles / seconds,
    'claim p50': percentile(claimsMs),
    'claim p95': percentile(claimsMs, 0.95),
    'pool wait p95': percentile(
      results.flatMap(({ waitsMs }) => waitsMs),
      0.95,
    ),
    'CPU Node.js': results.reduce((sum, { cpuMs }) => sum + cpuMs, 0) / cycles,
    'CPU PostgreSQL': (after.cpuMs - before.cpuMs) / cycles,
    'WAL kB': (after.walBytes - before.walBytes) / cycles / 1_000,
    ...waits,
  };
}
