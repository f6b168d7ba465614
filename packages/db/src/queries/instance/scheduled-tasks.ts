import { sql } from 'kysely';
import type { DbOrTx } from '../../database.ts';
import { afterSeconds, now } from '../../times.ts';

export type TaskInterval = { name: string; everyS: number };

/**
 * Creates missing tasks, due immediately. An existing task keeps its next run unless its interval has become shorter.
 */
export async function ensureScheduledTasks(db: DbOrTx, tasks: readonly TaskInterval[]): Promise<void> {
  for (const { name, everyS } of tasks)
    await db
      .insertInto('scheduledTasks')
      .values({ name })
      .onConflict((conflict) =>
        conflict
          .column('name')
          .doUpdateSet({ nextRunAt: afterSeconds(everyS) })
          .where('scheduledTasks.nextRunAt', '>', afterSeconds(everyS)),
      )
      .execute();
}

type TaskClaim = { names: readonly string[]; holder: string; leaseS: number; limit: number };

/** Leases up to `limit` of the named tasks that are due and that no other scheduler has leased. Returns their names. */
export async function claimDueTasks(db: DbOrTx, { names, holder, leaseS, limit }: TaskClaim): Promise<string[]> {
  if (names.length === 0 || limit <= 0) return [];
  const claimed = await db
    // Materialized, because PostgreSQL may otherwise run the subquery again and lock more rows than `limit`.
    .with(
      (cte) => cte('due').materialized(),
      (query) =>
        query
          .selectFrom('scheduledTasks')
          .select('name')
          .where('name', 'in', names)
          .where('nextRunAt', '<=', now)
          .where((eb) => eb.or([eb('leaseUntil', 'is', null), eb('leaseUntil', '<=', now)]))
          .orderBy('nextRunAt')
          .limit(limit)
          .forUpdate()
          .skipLocked(),
    )
    .updateTable('scheduledTasks')
    .from('due')
    .set({ leaseHolder: holder, leaseUntil: afterSeconds(leaseS), lastStartedAt: now })
    .whereRef('scheduledTasks.name', '=', 'due.name')
    .returning('scheduledTasks.name')
    .execute();
  return claimed.map(({ name }) => name);
}

export const renewTaskLeases = (db: DbOrTx, { holder, leaseS }: Pick<TaskClaim, 'holder' | 'leaseS'>) =>
  db
    .updateTable('scheduledTasks')
    .set({ leaseUntil: afterSeconds(leaseS) })
    .where('leaseHolder', '=', holder)
    .execute();

/** Ends the lease of a task and schedules its next run, unless another scheduler has claimed the task since. */
export const releaseTask = (
  db: DbOrTx,
  { name, everyS }: TaskInterval,
  { holder, error = null }: { holder: string; error?: string | null | undefined },
) =>
  db
    .updateTable('scheduledTasks')
    .set({
      leaseHolder: null,
      leaseUntil: null,
      nextRunAt: afterSeconds(everyS),
      lastFinishedAt: sql<Date>`clock_timestamp()`,
      ...(error === null && { lastSucceededAt: sql<Date>`clock_timestamp()` }),
      lastError: error,
    })
    .where('name', '=', name)
    .where('leaseHolder', '=', holder)
    .execute();
