import type { Tx } from '@uprez/db/database';
import { lockJob } from '@uprez/db/queries/jobs/jobs';
import { ensureObjects } from '@uprez/db/queries/jobs/objects';
import { objectKeys } from '@uprez/storage/object-keys';
import { uuidv7 } from 'uuidv7';
import type { Needs } from '../../context.ts';
import type { Attempt } from './renew-lease.ts';

export type ResultSlots = { result: { id: string; key: string }; thumbnail: { id: string; key: string } };

/** Insert the objects that an attempt will write. Safe to repeat. Undefined when another attempt has started. */
export function beginResult(ctx: Needs<'db'>, attempt: Attempt): Promise<ResultSlots | undefined> {
  return ctx.db.transaction().execute((tx) => insertSlots(tx, attempt));
}

/** Locks the job, so that a later attempt also marks these objects for deletion. */
async function insertSlots(tx: Tx, { jobId, attempt }: Attempt): Promise<ResultSlots | undefined> {
  const job = await lockJob(tx, { id: jobId, status: 'processing', attempt });
  if (!job) return undefined;
  const owner = { accountId: job.accountId, jobId: jobId };
  const [result, thumbnail] = [objectKeys.result(jobId, attempt), objectKeys.thumbnail(jobId, attempt)];
  const ids = await ensureObjects(tx, [
    { ...owner, id: uuidv7(), kind: 'result', key: result },
    { ...owner, id: uuidv7(), kind: 'thumbnail', key: thumbnail },
  ]);
  const slot = (key: string) => ({ id: ids.get(key) ?? '', key });
  return { result: slot(result), thumbnail: slot(thumbnail) };
}
