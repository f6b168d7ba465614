import type { Receipt } from '@uprez/contracts/schemas/receipt';
import { type CompletedJob, type Completion, prepareCompletion } from '@uprez/db/queries/attempts/complete-attempt';
import { insertResultFiles } from '@uprez/db/queries/attempts/result-files';
import { lockAttempt } from '@uprez/db/queries/jobs/job-leases';
import type { JobRow } from '@uprez/db/queries/jobs/jobs';
import type { StoredFile } from '@uprez/db/queries/jobs/objects';
import { objectKeys } from '@uprez/storage/object-keys';
import { uuidv7 } from 'uuidv7';
import type { Needs } from '../../context.ts';
import { completedJobData, type EventJob, hasFeed } from '../../events/record-event.ts';
import { releaseUnit } from '../../usage/close-reservation.ts';
import { freeJobReasons } from '../../usage/ledger-reasons.ts';
import { announceJob } from '../wake-workers.ts';
import type { Attempt } from './claim-next-job.ts';

export type ResultSlots = { result: { id: string; key: string }; thumbnail: { id: string; key: string } };

/** Insert the objects that an attempt will write. Safe to repeat. Undefined when another attempt has started. */
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

/** `job`: as it was claimed. */
export type Delivery = {
  job: Pick<JobRow, 'attempt'> & EventJob;
  receipt: Receipt;
  result: StoredFile;
  thumbnail: StoredFile;
};

const completeAttempt = prepareCompletion(hasFeed);

/**
 * Complete a job, settle its unit, or release it if the job is free, and delete its source. Undefined when the attempt is no
 * longer current.
 */
export async function completeJob(
  ctx: Needs<'db' | 'publisher'>,
  { job, receipt, ...files }: Delivery,
): Promise<CompletedJob | undefined> {
  const completion = {
    ...{ jobId: job.id, attempt: job.attempt, ...files },
    receipt: JSON.stringify(receipt),
    retentionS: job.recipe.retention * 3_600,
    reason: 'Delivered',
    eventId: uuidv7(),
    eventData: JSON.stringify(completedJobData(job, receipt)),
  };
  const { freeReason } = receipt;
  const completed = freeReason
    ? await completeFree(ctx, completion, freeJobReasons[freeReason])
    : await completeAttempt(ctx.db, completion);
  if (completed) await announceJob(ctx, completed);
  return completed;
}

/** Releases the unit first: as it is closed then, the completion doesn't settle it, and takes its locks in the usual order. */
const completeFree = ({ db }: Needs<'db'>, completion: Completion, reason: string) =>
  db.transaction().execute(async (tx) => {
    if (!(await lockAttempt(tx, completion))) return undefined;
    await releaseUnit(tx, completion.jobId, reason);
    const completed = await completeAttempt(tx, completion);
    if (!completed) throw new Error(`The job ${completion.jobId} left its attempt while it was locked.`);
    return completed;
  });
