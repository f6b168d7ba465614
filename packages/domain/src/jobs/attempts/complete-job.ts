import type { Receipt } from '@uprez/contracts/schemas/receipt';
import type { Tx } from '@uprez/db/database';
import { changeJob, type JobRow, lockJob } from '@uprez/db/queries/jobs/jobs';
import { ensureObjects, markReplacedForDeletion, markStored, type StoredFile } from '@uprez/db/queries/jobs/objects';
import { makeResultDeliveryDue } from '@uprez/db/queries/jobs/result-deliveries';
import { correctVirtualTime } from '@uprez/db/queries/jobs/virtual-times';
import { afterSeconds, now } from '@uprez/db/times';
import { objectKeys } from '@uprez/storage/object-keys';
import { uuidv7 } from 'uuidv7';
import type { Needs } from '../../context.ts';
import { recordJobEvent } from '../../events/record-event.ts';
import { settleUnit } from '../../usage/close-reservation.ts';
import { announceJob } from '../wake-workers.ts';
import type { Attempt } from './claim-next-job.ts';

export type ResultSlots = { result: { id: string; key: string }; thumbnail: { id: string; key: string } };

/** Insert the objects that an attempt will write. Safe to repeat. Undefined when another attempt has started. */
export function beginResult(ctx: Needs<'db'>, attempt: Attempt): Promise<ResultSlots | undefined> {
  return ctx.db.transaction().execute((tx) => insertSlots(tx, attempt));
}

/** Locks the job, so that a later attempt also marks these objects for deletion. */
async function insertSlots(tx: Tx, { jobId, attempt }: Attempt): Promise<ResultSlots | undefined> {
  const job = await lockJob(tx, { id: jobId, status: 'processing', attempt });
  if (!job) return undefined;
  const owner = { accountId: job.accountId, jobId };
  const [result, thumbnail] = [objectKeys.result(jobId, attempt), objectKeys.thumbnail(jobId, attempt)];
  const ids = await ensureObjects(tx, [
    { ...owner, id: uuidv7(), kind: 'result', key: result },
    { ...owner, id: uuidv7(), kind: 'thumbnail', key: thumbnail },
  ]);
  const slot = (key: string) => ({ id: ids.get(key) ?? '', key });
  return { result: slot(result), thumbnail: slot(thumbnail) };
}

export type Delivery = Attempt & {
  receipt: Receipt;
  retentionHours: number;
  result: StoredFile;
  thumbnail: StoredFile;
};

/** Complete a job, settle its unit, and delete its source. Undefined when the attempt is no longer current. */
export async function completeJob(ctx: Needs<'db' | 'publisher'>, delivery: Delivery): Promise<JobRow | undefined> {
  const job = await ctx.db.transaction().execute((tx) => deliver(tx, delivery));
  if (job) await announceJob(ctx, job);
  return job;
}

async function deliver(tx: Tx, delivery: Delivery): Promise<JobRow | undefined> {
  const { jobId, attempt, receipt, retentionHours, result, thumbnail } = delivery;
  const job = await changeJob(
    tx,
    { id: jobId, status: 'processing', attempt },
    {
      status: 'completed',
      progress: 100,
      receipt: JSON.stringify(receipt),
      resultId: result.id,
      thumbnailId: thumbnail.id,
      finishedAt: now,
      expiresAt: afterSeconds(retentionHours * 3_600),
    },
  );
  if (!job) return undefined;
  for (const file of [result, thumbnail]) {
    if (!(await markStored(tx, file)))
      throw new Error(`The object ${file.id} of job ${jobId} was deleted before the job completed.`);
  }
  await markReplacedForDeletion(tx, jobId);
  await makeResultDeliveryDue(tx, jobId);
  await settleUnit(tx, jobId, 'Delivered');
  await recordJobEvent(tx, job);
  await correctVirtualTime(tx, job);
  return job;
}
