import {
  deleteObjectRows,
  listDeletingObjects,
  listKnownKeys,
  markStaleObjectsForDeletion,
} from '@uprez/db/queries/jobs/objects';
import { objectPrefixes } from '@uprez/storage/object-keys';
import type { Needs } from '../context.ts';

const batchSize = 500;

/**
 * Deletes the files and then the rows of objects marked for deletion. Before that, marks objects that have expired, or
 * that are unfinished or unused after `unfinishedS` seconds. Returns the number of objects. Idempotent.
 */
export async function deleteMarkedObjects(ctx: Needs<'db' | 'storage'>, unfinishedS: number): Promise<number> {
  await markStaleObjectsForDeletion(ctx.db, unfinishedS);
  let deleted = 0;
  for (;;) {
    const rows = await listDeletingObjects(ctx.db, batchSize);
    if (rows.length === 0) return deleted;
    await ctx.storage.deleteMany(rows.map((row) => row.key));
    const ids = rows.map((row) => row.id);
    await deleteObjectRows(ctx.db, ids);
    deleted += rows.length;
    if (rows.length < batchSize) return deleted;
  }
}

/**
 * Deletes stored files without a row that are older than `olderThanS` seconds, such as files of crashed workers.
 * Returns the number of files.
 */
export async function deleteOrphanObjects(ctx: Needs<'db' | 'storage'>, olderThanS: number): Promise<number> {
  let deleted = 0;
  for await (const orphans of listOrphanKeys(ctx, olderThanS)) {
    await ctx.storage.deleteMany(orphans);
    deleted += orphans.length;
  }
  return deleted;
}

/** Yields the keys of stored files without a row that are older than `olderThanS` seconds, in batches. */
export async function* listOrphanKeys(ctx: Needs<'db' | 'storage'>, olderThanS: number): AsyncGenerator<string[]> {
  const before = Date.now() - olderThanS * 1_000;
  for (const prefix of objectPrefixes) {
    let page: string[] = [];
    for await (const object of ctx.storage.list(prefix)) {
      if (object.modifiedAt.getTime() >= before) continue;
      page.push(object.key);
      if (page.length < batchSize) continue;
      yield await selectOrphans(ctx, page);
      page = [];
    }
    yield await selectOrphans(ctx, page);
  }
}

async function selectOrphans({ db }: Needs<'db'>, keys: readonly string[]): Promise<string[]> {
  const known = await listKnownKeys(db, keys);
  return keys.filter((key) => !known.has(key));
}
