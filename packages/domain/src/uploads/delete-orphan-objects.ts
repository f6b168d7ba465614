import { listKnownKeys } from '@uprez/db/queries/jobs/objects';
import { objectPrefixes } from '@uprez/storage/object-keys';
import type { Needs } from '../context.ts';

/**
 * Delete stored files without a row that are older than `olderThanS` seconds by the storage's clock. A worker that lost
 * its lease may leave such files.
 */
export async function deleteOrphanObjects(ctx: Needs<'db' | 'storage'>, olderThanS: number): Promise<number> {
  const before = Date.now() - olderThanS * 1_000;
  let deleted = 0;
  const flush = async (keys: string[]) => {
    const known = await listKnownKeys(ctx.db, keys);
    const orphans = keys.filter((key) => !known.has(key));
    if (orphans.length > 0) await ctx.storage.deleteMany(orphans);
    deleted += orphans.length;
  };
  for (const prefix of objectPrefixes) {
    let page: string[] = [];
    for await (const object of ctx.storage.list(prefix)) {
      if (object.modifiedAt.getTime() >= before) continue;
      page.push(object.key);
      if (page.length === 500) {
        await flush(page);
        page = [];
      }
    }
    await flush(page);
  }
  return deleted;
}
