import type { Inspection } from '@uprez/contracts/schemas/image-pipeline';
import { type Insertable, type Selectable, sql } from 'kysely';
import type { DbOrTx, Tx } from '../../database.ts';
import { prepareQuery, runPrepared } from '../../prepare-query.ts';
import type { JobObjectKind, ObjectKind, ObjectsTable } from '../../tables/job-tables.ts';
import { afterSeconds, now } from '../../times.ts';

export type ObjectRow = Selectable<ObjectsTable>;
export type SourceFile = Pick<ObjectRow, 'key' | 'sha256'>;
type JobObjectRow = ObjectRow & { kind: JobObjectKind };
export type NewObjectRow = Insertable<ObjectsTable>;

export const insertObjects = (db: DbOrTx, rows: readonly NewObjectRow[]) =>
  db.insertInto('objects').values(rows).execute();

/** Inserts the objects with keys that don't exist yet. Returns the IDs of all the given objects by key. */
export async function ensureObjects(db: DbOrTx, rows: readonly NewObjectRow[]): Promise<Map<string, string>> {
  const inserting = db
    .insertInto('objects')
    .values(rows)
    .onConflict((conflict) => conflict.column('key').doUpdateSet((eb) => ({ key: eb.ref('excluded.key') })))
    .returning(['id', 'key']);
  const known = await runPrepared(db, inserting);
  return new Map(known.map(({ id, key }) => [key, id]));
}

export async function findObject(db: DbOrTx, id: string): Promise<ObjectRow | undefined> {
  const [object] = await selectObject(db, { id });
  return object;
}
const columns = [
  'id',
  'accountId',
  'jobId',
  'kind',
  'key',
  'state',
  'size',
  'sha256',
  'inspection',
  'createdAt',
  'expiresAt',
] as const satisfies readonly (keyof ObjectsTable)[];
const selectObject = prepareQuery((db, { id }: { id: string }) =>
  db.selectFrom('objects').select(columns).where('id', '=', id),
);

export async function listObjects(db: DbOrTx, ids: readonly string[]): Promise<Map<string, ObjectRow>> {
  if (ids.length === 0) return new Map();
  const rows = await db.selectFrom('objects').selectAll().where('id', 'in', ids).execute();
  return new Map(rows.map((row) => [row.id, row]));
}

/** Lists the stored objects of a job. */
export function listObjectsOfJob(db: DbOrTx, jobId: string): Promise<JobObjectRow[]> {
  const stored = db.selectFrom('objects').selectAll().where('jobId', '=', jobId).where('state', '=', 'stored');
  return stored.$castTo<JobObjectRow>().execute();
}

/** Sets how many bytes an upload reserves until it is stored. */
export const updateReservedBytes = (db: DbOrTx, id: string, bytes: number) =>
  db.updateTable('objects').set({ size: bytes }).where('id', '=', id).where('state', '=', 'writing').execute();

export type StoredFile = { id: string; sizeBytes: number; sha256: string };

const updateStoredObject = prepareQuery((db, { id, sizeBytes, sha256 }: StoredFile) =>
  db
    .updateTable('objects')
    .set({ state: 'stored', size: sizeBytes, sha256 })
    .where('id', '=', id)
    .where('state', '=', 'writing')
    .returning('id'),
);

/** Marks an object as stored. Returns false if it was marked for deletion in the meantime. */
export async function markObjectStored(db: DbOrTx, file: StoredFile): Promise<boolean> {
  return (await updateStoredObject(db, file)).length > 0;
}

const updateSources = prepareQuery(
  // Also filters by the list of IDs. Otherwise, the planner can't tell that the JSON has few rows, and scans the whole
  // table.
  (_db, { rows, ids }: { rows: string; ids: string[] }) => sql<{ id: string }>`
    update objects set job_id = source.job_id, inspection = source.inspection
    from jsonb_to_recordset(${rows}::jsonb) as source (id uuid, job_id uuid, inspection jsonb)
    where objects.id = source.id and objects.id = any(${ids}::uuid[]) and objects.state = 'stored'
    returning objects.id`,
);

/** Attaches stored sources to their jobs. Returns the IDs of the sources that are no longer stored. */
export async function attachSources(tx: Tx, sources: readonly { id: string; jobId: string; inspection: Inspection }[]) {
  const rows = JSON.stringify(sources.map(({ id, jobId, inspection }) => ({ id, job_id: jobId, inspection })));
  const ids = sources.map(({ id }) => id);
  const attached = await updateSources(tx, { rows, ids });
  const found = new Set(attached.map(({ id }) => id));
  return ids.filter((id) => !found.has(id));
}

/** Cancels the expiry of the stored sources of failed jobs. Returns the IDs of the jobs whose source still exists. */
export async function clearSourceExpiry(tx: Tx, jobIds: readonly string[]): Promise<Set<string>> {
  const kept = await tx
    .updateTable('objects')
    .set({ expiresAt: null })
    .where('jobId', 'in', jobIds)
    .where('kind', '=', 'source')
    .where('state', '=', 'stored')
    .returning('jobId')
    .execute();
  return new Set(kept.flatMap(({ jobId }) => jobId ?? []));
}

const markForDeletion = (db: DbOrTx) => db.updateTable('objects').set({ state: 'deleting' });

export const markObjectsForDeletion = (db: DbOrTx, { jobId, kinds }: { jobId: string; kinds: readonly ObjectKind[] }) =>
  markForDeletion(db)
    .where('jobId', '=', jobId)
    .where('kind', 'in', kinds)
    .where('state', 'in', ['writing', 'stored'])
    .execute();

/** Marks an upload for deletion. Returns undefined if it belongs to a job or no longer exists. */
export const markUploadForDeletion = (db: DbOrTx, id: string) =>
  markForDeletion(db).where('id', '=', id).where('jobId', 'is', null).returning('id').executeTakeFirst();

/** Marks an object for deletion if it isn't stored yet. Returns false for other objects. */
export async function markUnfinishedForDeletion(db: DbOrTx, id: string): Promise<boolean> {
  const marked = markForDeletion(db).where('id', '=', id).where('state', '=', 'writing').returning('id');
  return (await marked.execute()).length > 0;
}

/** Lets the stored source of a job expire in `seconds` seconds. */
export const expireSource = (db: DbOrTx, jobId: string, seconds: number) =>
  db
    .updateTable('objects')
    .set({ expiresAt: afterSeconds(seconds) })
    .where('jobId', '=', jobId)
    .where('kind', '=', 'source')
    .where('state', '=', 'stored')
    .execute();

export const markAccountObjectsForDeletion = (db: DbOrTx, accountId: string) =>
  markForDeletion(db).where('accountId', '=', accountId).execute();

export const markObjectForDeletion = (db: DbOrTx, id: string) => markForDeletion(db).where('id', '=', id).execute();

/**
 * Marks expired objects for deletion. Also marks objects that are still unfinished or unused `unfinishedS` seconds
 * after their creation.
 */
export const markStaleObjectsForDeletion = (db: DbOrTx, unfinishedS: number) =>
  markForDeletion(db)
    .where('state', '<>', 'deleting')
    .where((eb) =>
      eb.or([
        eb('expiresAt', '<=', now),
        eb.and([
          eb('createdAt', '<=', afterSeconds(-unfinishedS)),
          eb.or([
            eb('state', '=', 'writing'),
            eb.and([eb('kind', '=', 'source'), eb('jobId', 'is', null)]),
            eb.and([
              eb('kind', '=', 'ticket'),
              eb.not(eb.exists(eb.selectFrom('ticketFiles').select('id').whereRef('objectId', '=', 'objects.id'))),
            ]),
          ]),
        ]),
      ]),
    )
    .execute();

export const listDeletingObjects = (db: DbOrTx, limit: number) =>
  db.selectFrom('objects').select(['id', 'key']).where('state', '=', 'deleting').limit(limit).execute();

export async function deleteObjectRows(db: DbOrTx, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await db.deleteFrom('objects').where('id', 'in', ids).execute();
}

export async function listKnownKeys(db: DbOrTx, keys: readonly string[]): Promise<Set<string>> {
  if (keys.length === 0) return new Set();
  const rows = await db
    .selectFrom('objects')
    .select('key')
    .where('key', '=', sql<string>`any(${[...keys]})`)
    .execute();
  return new Set(rows.map((row) => row.key));
}
