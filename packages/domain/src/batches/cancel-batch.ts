import type { AppError } from '@uprez/contracts/errors/app-error';
import { type ErrorCode, errorCodes } from '@uprez/contracts/errors/error-codes';
import { isFinal } from '@uprez/contracts/policy/job-status';
import type { Tx } from '@uprez/db/database';
import { changeBatchItems, listBatchItems } from '@uprez/db/queries/jobs/batch-items';
import {
  type BatchRow,
  findBatch,
  listOverdueBatches,
  lockBatch,
  lockOverdueBatch,
  markBatchCancelled,
} from '@uprez/db/queries/jobs/batches';
import { findJob } from '@uprez/db/queries/jobs/jobs';
import type { Actor } from '../actor.ts';
import type { Needs } from '../context.ts';
import { recordBatchChange } from '../events/record-event.ts';
import { cancelJob } from '../jobs/delete-job.ts';
import { announceJob } from '../jobs/wake-workers.ts';
import { releaseUnits } from '../usage/close-reservation.ts';
import { releaseReason } from '../usage/ledger-reasons.ts';
import { getOwnBatch } from './get-batch.ts';

/** Cancel the unfinished items of a batch and release their units. Safe to repeat. Throws `batch_not_found`. */
export async function cancelBatch(ctx: Needs<'db' | 'publisher'>, { actor, id }: { actor: Actor; id: string }) {
  const batch = await getOwnBatch(ctx.db, actor, id);
  await ctx.db.transaction().execute((tx) => cancelWaiting(tx, batch));
  // A file that arrived at the same time has its job now. No further file is accepted.
  for (const { jobId } of await listBatchItems(ctx.db, id)) if (jobId) await cancelUntilFinal(ctx, jobId);
}

async function cancelWaiting(tx: Tx, batch: BatchRow): Promise<void> {
  const { id, accountId } = batch;
  await lockBatch(tx, id);
  await markBatchCancelled(tx, id);
  const cancelled = await changeBatchItems(tx, { batchId: id, status: 'waiting' }, { status: 'cancelled' });
  const ids = cancelled.map(({ unitId }) => unitId);
  if (ids.length > 0) await releaseUnits(tx, { accountId: accountId, ids, reason: releaseReason('cancelled') });
  if (ids.length > 0) await recordBatchChange(tx, batch);
}

/** A job may move on between reading and writing: then it is looked at again. */
async function cancelUntilFinal(ctx: Needs<'db' | 'publisher'>, jobId: string): Promise<void> {
  for (;;) {
    const job = await findJob(ctx.db, jobId);
    if (!job || isFinal(job.status)) return;
    const cancelled = await ctx.db.transaction().execute((tx) => cancelJob(tx, job));
    if (cancelled) return announceJob(ctx, cancelled);
  }
}

/** Errors of the file or its recipe: sending it again would fail again. */
const fileErrors: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'file_too_large',
  'unsupported_format',
  'empty_file',
  'corrupt_image',
  'too_many_pixels',
  'too_many_frames',
  'side_too_long',
  'output_too_large',
  'plan_feature',
  'target_bytes_unreachable',
  'job_too_long',
  'engine_unavailable',
  'quota_exceeded',
  'url_not_allowed',
  'url_unreachable',
]);

export const isFileError = (error: AppError): boolean => fileErrors.has(error.code);

/** Fail a waiting item and release its unit. No effect on other items. */
export async function failItem(
  ctx: Needs<'db'>,
  { actor, ...failure }: { actor: Actor; batchId: string; itemId: string; error: AppError },
): Promise<void> {
  const { batchId, itemId, error } = failure;
  await ctx.db.transaction().execute(async (tx) => {
    const failed = await changeBatchItems(
      tx,
      { batchId, id: itemId, status: 'waiting' },
      { status: 'failed', errorCode: error.code, errorDetail: error.message },
    );
    const ids = failed.map(({ unitId }) => unitId);
    if (ids.length === 0) return;
    await releaseUnits(tx, { accountId: actor.accountId, ids, reason: releaseReason(error.code) });
    const batch = await findBatch(tx, batchId);
    if (batch) await recordBatchChange(tx, batch);
  });
}

const code = 'file_never_came';

/** Fail the items of overdue batches whose files never arrived, and release their units. Returns how many. */
export async function expireBatches(ctx: Needs<'db'>): Promise<number> {
  let expired = 0;
  for (const id of await listOverdueBatches(ctx.db)) {
    expired += await ctx.db.transaction().execute(async (tx) => {
      const batch = await lockOverdueBatch(tx, id);
      // A retry may have extended the batch.
      if (!batch) return 0;
      const changes = { status: 'failed', errorCode: code, errorDetail: errorCodes[code].title } as const;
      const failed = await changeBatchItems(tx, { batchId: id, status: 'waiting' }, changes);
      const ids = failed.map(({ unitId }) => unitId);
      if (ids.length > 0) await releaseUnits(tx, { accountId: batch.accountId, ids, reason: releaseReason(code) });
      if (failed.length > 0) await recordBatchChange(tx, batch);
      return failed.length;
    });
  }
  return expired;
}
