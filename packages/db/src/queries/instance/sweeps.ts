import { sql } from 'kysely';
import type { DbOrTx } from '../../database.ts';
import { afterSeconds, now } from '../../times.ts';

export type SweptJob = { id: string; attempt: number };

/** Queued jobs that Redis may have forgotten: never enqueued for `freshS` seconds, or enqueued over `staleS` ago. */
export function listJobsToWake(
  db: DbOrTx,
  times: { freshS: number; staleS: number },
): Promise<(SweptJob & { delayMs: number })[]> {
  return db
    .selectFrom('jobs')
    .select([
      'id',
      'attempt',
      sql<number>`greatest(0, extract(epoch from not_before - now()) * 1000)::double precision`.as('delayMs'),
    ])
    .where('status', '=', 'queued')
    .where((eb) =>
      eb.or([
        eb.and([eb('enqueued_at', 'is', null), eb('updated_at', '<=', afterSeconds(-times.freshS))]),
        eb('enqueued_at', '<=', afterSeconds(-times.staleS)),
      ]),
    )
    .orderBy('created_at')
    .limit(500)
    .execute();
}

/** After Redis lost everything: what was enqueued counts as enqueued long ago. */
export async function forgetEnqueued(db: DbOrTx): Promise<void> {
  await db
    .updateTable('jobs')
    .set({ enqueued_at: sql`to_timestamp(0)` })
    .where('status', '=', 'queued')
    .where('enqueued_at', 'is not', null)
    .execute();
}

export function listExpiredLeases(db: DbOrTx): Promise<SweptJob[]> {
  return db
    .selectFrom('jobs')
    .select(['id', 'attempt'])
    .where('status', '=', 'processing')
    .where('lease_until', '<', now)
    .orderBy('lease_until')
    .limit(500)
    .execute();
}

export function listExpiredJobs(db: DbOrTx): Promise<{ id: string }[]> {
  return db
    .selectFrom('jobs')
    .select('id')
    .where('status', '=', 'completed')
    .where('expires_at', '<=', now)
    .orderBy('expires_at')
    .limit(500)
    .execute();
}
