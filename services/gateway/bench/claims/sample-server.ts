import type { Db } from '@uprez/db/database';
import { cpuTimeMs } from '@uprez/runtime/open-pixel-child';
import { sql } from 'kysely';

const everyMs = 100;

/** Why sessions wait: per sample, the mean number of those that run, wait for an advisory lock, or wait for another lock. */
export type Waits = { running: number; 'claim lock': number; 'row locks': number; 'internal locks': number };

/** Samples what the sessions of the workers do until it is stopped. */
export function sampleSessions(db: Db) {
  let stopped = false;
  const sums: Waits = { running: 0, 'claim lock': 0, 'row locks': 0, 'internal locks': 0 };
  let samples = 0;
  const sample = async () => {
    const { rows } = await sql<Waits>`
      select count(*) filter (where wait_event_type is null) as running,
        count(*) filter (where wait_event_type = 'Lock' and wait_event = 'advisory') as "claim lock",
        count(*) filter (where wait_event_type = 'Lock' and wait_event <> 'advisory') as "row locks",
        count(*) filter (where wait_event_type = 'LWLock') as "internal locks"
      from pg_stat_activity where datname = current_database() and state = 'active' and pid <> pg_backend_pid()`.execute(
      db,
    );
    for (const row of rows) for (const name of Object.keys(sums) as (keyof Waits)[]) sums[name] += row[name];
    samples += 1;
  };
  const sampling = (async () => {
    while (!stopped) {
      await sample();
      await new Promise((resolve) => setTimeout(resolve, everyMs));
    }
  })();
  return {
    stop: async (): Promise<Waits> => {
      stopped = true;
      await sampling;
      const means = Object.entries(sums).map(([name, sum]) => [name, sum / samples]);
      return Object.fromEntries(means) as Waits;
    },
  };
}

/** `cpuMs`: that of all processes of the server that exist now. `walBytes`: since the server was created. */
export async function readServer(db: Db): Promise<{ cpuMs: number; walBytes: number }> {
  const { rows } = await sql<{ pid: number }>`select pid from pg_stat_activity`.execute(db);
  const wal = await sql<{ bytes: number }>`select pg_current_wal_insert_lsn() - '0/0'::pg_lsn as bytes`.execute(db);
  return {
    cpuMs: rows.reduce((sum, { pid }) => sum + cpuTimeMs(pid), 0),
    walBytes: Number(wal.rows[0]?.bytes ?? 0),
  };
}
