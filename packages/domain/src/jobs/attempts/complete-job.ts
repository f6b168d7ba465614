import type { Receipt } from '@uprez/contracts/schemas/jobs/receipt';
import type { Tx } from '@uprez/db/database';
import {
  type CompletedJob,
  type Completion,
  insertResultFiles,
  lockAttempt,
  prepareCompletion,
} from '@uprez/db/queries/attempts/complete-attempt';
import type { JobRow } from '@uprez/db/queries/jobs/jobs';
import type { StoredFile } from '@uprez/db/queries/jobs/objects';
import { findRepeatedJob, lockRepeatedJobs } from '@uprez/db/queries/jobs/repeats';
import { objectKeys } from '@uprez/storage/object-keys';
import { uuidv7 } from 'uuidv7';
import type { Needs } from '../../context.ts';
import { type EventJob, hasFeed, makeCompletedJobData } from '../../events/record-event.ts';
import { freeJobReasons } from '../../usage/ledger-reasons.ts';
import { releaseUnit } from '../../usage/release-units.ts';
import { countOverrun } from '../admission.ts';
import { announceJob } from '../wake-workers.ts';
import type { Attempt } from './claim-next-job.ts';
import { addFreeReason } from './find-earlier-result.ts';

export type ResultSlots = { result: { id: string; key: string }; thumbnail: { id: string; key: string } };

/**
 * Inserts the rows of the objects that an attempt will write. Idempotent. Returns undefined if another attempt has
 * started.
 */
export async function beginResult(ctx: Needs<'db'>, { jobId, attempt }: Attempt): Promise<ResultSlots | undefined> {
  const newFile = (key: string) => ({ id: uuidv7(), key });
  const [result, thumbnail] = [objectKeys.result(jobId, attempt), objectKeys.thumbnail(jobId, attempt)];
  const files = { result: newFile(result), thumbnail: newFile(thumbnail) };
  const ids = await insertResultFiles(ctx.db, { jobId, attempt, ...files });
  const [resultId, thumbnailId] = [ids.get(result), ids.get(thumbnail)];
  return resultId && thumbnailId
    ? { result: { id: resultId, key: result }, thumbnail: { id: thumbnailId, key: thumbnail } }
    : undefined;
}

export type Delivery = {
  job: Pick<JobRow, 'attempt'> & EventJob;
  receipt: Receipt;
  result: StoredFile;
  thumbnail: StoredFile;
};

const completeAttempt = prepareCompletion(hasFeed);

/**
 * Completes a job and deletes its source. Settles the job's unit, or releases it if the job is free. Returns undefined
 * if the attempt is no longer current.
 */
export async function completeJob(
  ctx: Needs<'db' | 'publisher'>,
  delivery: Delivery,
): Promise<CompletedJob | undefined> {
  const completed = await ctx.db.transaction().execute(async (tx) => {
    const receipt = await decideCharge(tx, delivery);
    return completeDelivery(tx, { ...delivery, receipt });
  });
  if (!completed) return undefined;
  await countOverrun(ctx, completed);
  await announceJob(ctx, completed);
  return completed;
}

/**
 * Locks the image for the account until the transaction ends, because several workers may process the same image
 * concurrently. Only the first of these jobs is charged.
 */
async function decideCharge(tx: Tx, { job, receipt }: Delivery): Promise<Receipt> {
  if (receipt.freeReason || !(await lockRepeatedJobs(tx, job.id))) return receipt;
  return (await findRepeatedJob(tx, job.id)) ? addFreeReason(receipt, 'repeated') : receipt;
}

async function completeDelivery(tx: Tx, { job, receipt, ...files }: Delivery): Promise<CompletedJob | undefined> {
  const completion: Completion = {
    ...{ jobId: job.id, attempt: job.attempt, ...files },
    receipt: JSON.stringify(receipt),
    retentionS: job.recipe.retention * 3_600,
    reason: 'Delivered',
    eventId: uuidv7(),
    eventData: JSON.stringify(makeCompletedJobData(job, receipt)),
  };
  if (!receipt.freeReason) return completeAttempt(tx, completion);
  // The unit is released first, because completing the job takes the last lock of the transaction and settles a unit
  // that hasn't been released.
  if (!(await lockAttempt(tx, completion))) return undefined;
  await releaseUnit(tx, job.id, freeJobReasons[receipt.freeReason]);
  const completed = await completeAttempt(tx, completion);
  if (!completed) throw new Error(`The job ${job.id} left its attempt while it was locked.`);
  return completed;
}
