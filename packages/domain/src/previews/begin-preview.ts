import { insertObjects } from '@uprez/db/queries/jobs/objects';
import { objectKeys } from '@uprez/storage/object-keys';
import { uuidv7 } from 'uuidv7';
import type { Needs } from '../context.ts';

/** Note that the bytes of a patch are about to come. Null: a visitor's. It takes none of an account's space for long. */
export async function beginPreview(ctx: Needs<'db'>, accountId: string | null): Promise<{ id: string; key: string }> {
  const id = uuidv7();
  const key = objectKeys.upload(id);
  await insertObjects(ctx.db, [{ id, accountId: accountId, kind: 'source', key }]);
  return { id, key };
}
