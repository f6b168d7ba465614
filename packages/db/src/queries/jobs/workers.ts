import { type Insertable, sql } from 'kysely';
import type { DbOrTx } from '../../database.ts';
import type { WorkersTable } from '../../tables/job-tables.ts';
import { afterSeconds } from '../../times.ts';

/** A worker without a sign for this long isn't running. Workers give one every 5 s. Seconds. */
const silentS = 15;
/** Workers without a sign are listed for this long. */
const listedS = 3_600;

type WorkerSign = Omit<Insertable<WorkersTable>, 'startedAt' | 'lastSignAt'>;

/** Store that a worker runs. */
export async function upsertWorker(db: DbOrTx, { id, ...sign }: WorkerSign): Promise<void> {
  const lastSignAt = sql<Date>`clock_timestamp()`;
  await db
    .insertInto('workers')
    .values({ id, ...sign, lastSignAt })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ ...sign, lastSignAt }))
    .execute();
}

/** Remove a worker that stops. */
export const deleteWorker = (db: DbOrTx, id: string) => db.deleteFrom('workers').where('id', '=', id).execute();

/** Remove workers that ended without notice. */
export const deleteSilentWorkers = (db: DbOrTx) =>
  db.deleteFrom('workers').where('lastSignAt', '<', afterSeconds(-listedS)).execute();

const settings = sql`(select value from settings where name = 'jobs')`;
/** Whether a worker is drained by its name or with all. */
const isDrained = sql<boolean>`coalesce((${settings}->>'drainsAll')::boolean, false)
  or coalesce(${settings}->'drainedWorkers' ? workers.name, false)`;
const isLive = sql<boolean>`workers.last_sign_at > now() - make_interval(secs => ${sql.lit(silentS)})`;
const busySlots = sql<number>`(select count(*)::integer from job_leases where worker_id = workers.id)`;

/** A slot that could start a job. */
export const hasFreeSlot = sql<boolean>`exists (
  select from workers where ${isLive} and not (${isDrained}) and slots > ${busySlots})`;

/** Slots of live workers that are not drained. */
export async function countSlots(db: DbOrTx): Promise<number> {
  const { rows } = await sql<{ slots: number }>`
    select coalesce(sum(slots), 0)::integer as slots from workers where ${isLive} and not (${isDrained})`.execute(db);
  return rows[0]?.slots ?? 0;
}

/** The workers of the last hour, in the order of their names. */
export const listWorkers = (db: DbOrTx) =>
  db
    .selectFrom('workers')
    .selectAll()
    .select([isLive.as('isLive'), isDrained.as('isDraining'), busySlots.as('busySlots')])
    .orderBy('name')
    .orderBy('startedAt')
    .execute();
