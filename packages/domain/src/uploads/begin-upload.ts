import { insertObjects } from '@uprez/db/queries/jobs/objects';
import { objectKeys } from '@uprez/storage/object-keys';
import { uuidv7 } from 'uuidv7';
import type { Actor } from '../actor.ts';
import type { Needs } from '../context.ts';
import { checkStorage } from './check-storage.ts';

/**
 * Note that bytes are about to come, so that the sweep finds them should nobody finish. Throws `storage_full` where the
 * account has no space left.
 */
export async function beginUpload(ctx: Needs<'db'>, { actor }: { actor: Actor }): Promise<{ id: string; key: string }> {
  await checkStorage(ctx, { actor });
  const id = uuidv7();
  const key = objectKeys.upload(id);
  await insertObjects(ctx.db, [{ id, accountId: actor.accountId, kind: 'source', key }]);
  return { id, key };
}
