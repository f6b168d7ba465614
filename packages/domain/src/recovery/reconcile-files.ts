import type { Tx } from '@uprez/db/database';
import { markObjectForDeletion } from '@uprez/db/queries/jobs/objects';
import { deleteMediaFile } from '@uprez/db/queries/media/media-files';
import { listStoredObjects, type StoredRow } from '@uprez/db/queries/usage/ledger';
import type { Needs } from '../context.ts';
import { expireJob } from '../jobs/expire-jobs.ts';
import { listOrphanKeys } from '../uploads/delete-objects.ts';

/** `missing`: objects whose file is missing. `orphans`: files without a row. */
export type ReconcileReport = { checked: number; missing: StoredRow[]; orphans: string[] };

/** `isApplied`: whether to apply the changes. `isForced`: whether to apply them even if no file has a row. */
type ReconcileOptions = { isApplied: boolean; isForced?: boolean };

/**
 * Compares the rows in the database with the stored files, after one of the two was restored. Stop all services first.
 * With `isApplied`, marks objects with missing files for deletion, expires their completed jobs, and deletes files
 * without a row. Once workers run again, they fail queued jobs with a missing original, which releases the jobs'
 * credits. Idempotent.
 * @throws With `isApplied` and without `isForced`, if no file has a row: the database and the storage belong to
 * different installations, or one of them was lost entirely.
 */
export async function reconcileFiles(
  ctx: Needs<'db' | 'storage'>,
  { isApplied, isForced = false }: ReconcileOptions,
): Promise<ReconcileReport> {
  const { checked, missing } = await findMissingFiles(ctx);
  const pages: string[][] = [];
  for await (const keys of listOrphanKeys(ctx, 0)) pages.push(keys);
  const orphans = pages.flat();
  const differs = missing.length + orphans.length > 0;
  if (isApplied && !isForced && differs && missing.length === checked)
    throw new Error(explainMismatch(checked, orphans.length));
  if (isApplied) {
    for (const object of missing) await ctx.db.transaction().execute((tx) => markMissingFile(tx, object));
    for (const keys of pages) await ctx.storage.deleteMany(keys);
  }
  return { checked, missing, orphans };
}

const explainMismatch = (checked: number, orphans: number) =>
  `The storage has none of the ${checked} files of this database, and ${orphans} others. Nothing was changed. Check
DATABASE_URL and the storage settings. If one of them was lost as a whole, add --force.`;

async function findMissingFiles({ db, storage }: Needs<'db' | 'storage'>) {
  const missing: StoredRow[] = [];
  let checked = 0;
  for (let after: string | undefined; ; ) {
    const rows = await listStoredObjects(db, after);
    const heads = await Promise.all(rows.map(({ key }) => storage.head(key)));
    missing.push(...rows.filter((_row, index) => !heads[index]));
    checked += rows.length;
    after = rows.at(-1)?.id;
    if (!after) return { checked, missing };
  }
}

async function markMissingFile(tx: Tx, { id, jobId, kind }: StoredRow): Promise<void> {
  if (jobId !== null && (kind === 'result' || kind === 'thumbnail'))
    await expireJob(tx, { id: jobId, status: 'completed' });
  if (kind === 'media') await deleteMediaFile(tx, id);
  await markObjectForDeletion(tx, id);
}
