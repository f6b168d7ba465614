import type { Db } from '@uprez/db/database';
import { sql } from 'kysely';

/** Backdates the current attempt of a job, as if it had been processing for `seconds`. */
export const backdateAttempt = (db: Db, jobId: string, seconds: number) =>
  db
    .updateTable('jobs')
    .set({ startedAt: sql<Date>`now() - make_interval(secs => ${seconds})` })
    .where('id', '=', jobId)
    .execute();
