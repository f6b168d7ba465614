import { findJob } from '@uprez/db/queries/jobs';
import { insertObjects } from '@uprez/db/queries/objects';
import { objectKeys } from '@uprez/storage/object-keys';
import { uuidv7 } from 'uuidv7';
import type { Needs } from '../context.ts';
import type { Attempt } from './renew-lease.ts';

export type ResultSlots = { result: { id: string; key: string }; thumbnail: { id: string; key: string } };

/** Note the two objects that an attempt is about to write. Undefined: the job is no longer this attempt's. */
export async function beginResult(ctx: Needs<'db'>, { jobId, attempt }: Attempt): Promise<ResultSlots | undefined> {
  const job = await findJob(ctx.db, jobId);
  if (job?.status !== 'processing' || job.attempt !== attempt) return undefined;
  const slots = {
    result: { id: uuidv7(), key: objectKeys.result(jobId, attempt) },
    thumbnail: { id: uuidv7(), key: objectKeys.thumbnail(jobId, attempt) },
  };
  const owner = { account_id: job.account_id, job_id: jobId };
  await insertObjects(ctx.db, [
    { ...slots.result, ...owner, kind: 'result' },
    { ...slots.thumbnail, ...owner, kind: 'thumbnail' },
  ]);
  return slots;
}
