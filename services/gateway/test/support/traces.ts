import fs from 'node:fs/promises';
import path from 'node:path';
import type { TestContext } from '@uprez/testing/open-test-context';

const tables = ['jobs', 'objects', 'ledger', 'idempotencyKeys'] as const;

/** Counts what an upload can leave behind: rows, stored objects, and partial files. */
export async function countTraces({ db, storage, dataDir }: TestContext): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const table of tables) {
    const row = await db
      .selectFrom(table)
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow();
    counts[table] = row.n;
  }
  counts.stored = 0;
  for await (const _ of storage.list('')) counts.stored += 1;
  counts.temporary = (await fs.readdir(path.join(dataDir, 'objects/.tmp'))).length;
  return counts;
}
