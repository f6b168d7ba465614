import { sql } from 'kysely';
import type { DbOrTx } from '../../database.ts';
import { isPaused } from './job-settings.ts';

export type WorkerLoad = {
  /** Jobs that a worker could start now. */
  waiting: number;
  /** Jobs in progress. */
  running: number;
  /** Images of the media library without their WebP versions, waiting or in progress. */
  media: number;
};

/** Counts the work that needs workers. */
export async function readWorkerLoad(db: DbOrTx): Promise<WorkerLoad> {
  const { rows } = await sql<WorkerLoad>`
    select (
      select count(*) from jobs where status = 'queued' and not_before <= now() and not ${isPaused}
    )::integer as waiting, (
      select count(*) from job_leases
    )::integer as running, (
      select count(*) from media where state = 'processing' and deleted_at is null
    )::integer as media`.execute(db);
  return rows[0] ?? { waiting: 0, running: 0, media: 0 };
}
