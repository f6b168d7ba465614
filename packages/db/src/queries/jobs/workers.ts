import { type Insertable, sql } from 'kysely';
import type { DbOrTx } from '../../database.ts';
import type { WorkersTable } from '../../tables/job-tables.ts';
import { afterSeconds } from '../../times.ts';
import { busySlots, isDrainedName, isLive, isWorkerDrained } from './pool-rules.ts';

/** Workers without a heartbeat are listed for this long. */
const listedS = 3_600;

type WorkerHeartbeat = Omit<Insertable<WorkersTable>, 'startedAt' | 'lastSignAt'>;

/** Store that a worker runs. Creates its pool. */
export async function upsertWorker(db: DbOrTx, { id, ...heartbeat }: WorkerHeartbeat): Promise<void> {
  const lastSignAt = sql<Date>`clock_timestamp()`;
  if (heartbeat.pool) await markPoolSeen(db, { pool: heartbeat.pool, name: heartbeat.name });
  await db
    .insertInto('workers')
    .values({ id, ...heartbeat, lastSignAt })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ ...heartbeat, lastSignAt }))
    .execute();
}

/** Store that a pool has a worker. Drained ones don't count. Many workers of a pool write its row once in 4 seconds. */
const markPoolSeen = (db: DbOrTx, { pool, name }: { pool: string; name: string }) =>
  sql`
    insert into pools (name, last_sign_at)
    values (${pool}, case when not ${isDrainedName(sql`${name}::text`)} then clock_timestamp() end)
    on conflict (name) do update set last_sign_at = excluded.last_sign_at
    where excluded.last_sign_at > coalesce(pools.last_sign_at + interval '4 seconds', '-infinity')`.execute(db);

/** Remove a worker that stops. */
export const deleteWorker = (db: DbOrTx, id: string) => db.deleteFrom('workers').where('id', '=', id).execute();

/** Remove workers that ended without notice. */
export const deleteSilentWorkers = (db: DbOrTx) =>
  db.deleteFrom('workers').where('lastSignAt', '<', afterSeconds(-listedS)).execute();

/** Live workers by `pool`, with drained ones, and the slots of those that are not drained. */
export const liveWorkers = sql`
  select pool, count(*)::integer as workers, coalesce(sum(slots) filter (where not ${isWorkerDrained}), 0)::integer as slots
  from workers where ${isLive} group by pool`;

/** Slots of live workers that are not drained, by pool; null: of shared workers. */
export async function countSlots(db: DbOrTx): Promise<Map<string | null, number>> {
  const { rows } = await sql<{ pool: string | null; slots: number }>`
    select pool, slots from (${liveWorkers}) live`.execute(db);
  return new Map(rows.map(({ pool, slots }) => [pool, slots]));
}

/** The workers of the last hour, in the order of their names. */
export const listWorkers = (db: DbOrTx) =>
  db
    .selectFrom('workers')
    .selectAll()
    .select([isLive.as('isLive'), isWorkerDrained.as('isDraining'), busySlots.as('busySlots')])
    .orderBy('name')
    .orderBy('startedAt')
    .execute();
