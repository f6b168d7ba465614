import { sql } from 'kysely';
import type { DbOrTx } from '../../database.ts';
import { afterSeconds, now } from '../../times.ts';

/** Queued jobs that Redis may have forgotten: never enqueued for `freshS` seconds, or enqueued over `staleS` ago. */
export const listJobsToWake = (db: DbOrTx, times: { freshS: number; staleS: number }) =>
  db
    .selectFrom('jobs')
    .select([
      'id',
      'attempt',
      sql<number>`greatest(0, extract(epoch from not_before - now()) * 1000)::double precision`.as('delayMs'),
    ])
    .where('status', '=', 'queued')
    .where((eb) =>
      eb.or([
        eb.and([eb('enqueuedAt', 'is', null), eb('updatedAt', '<=', afterSeconds(-times.freshS))]),
        eb('enqueuedAt', '<=', afterSeconds(-times.staleS)),
      ]),
    )
    .orderBy('createdAt')
    .limit(500)
    .execute();

/** Mark all enqueued jobs as overdue, after Redis lost its data. */
export const resetEnqueued = (db: DbOrTx) =>
  db
    .updateTable('jobs')
    .set({ enqueuedAt: sql`to_timestamp(0)` })
    .where('status', '=', 'queued')
    .where('enqueuedAt', 'is not', null)
    .execute();

export const listExpiredJobs = (db: DbOrTx) =>
  db
    .selectFrom('jobs')
    .select('id')
    .where('status', '=', 'completed')
    .where('expiresAt', '<=', now)
    .orderBy('expiresAt')
    .limit(500)
    .execute();
