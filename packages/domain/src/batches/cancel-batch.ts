import type { AppError } from '@uprez/contracts/errors/app-error';
import { type ErrorCode, errorCodes } from '@uprez/contracts/errors/error-codes';
import type { Tx } from '@uprez/db/database';
import {
  type BatchRow,
  changeBatchItems,
  listBatchItems,
  listOverdueBatches,
  lockBatch,
  lockOverdueBatch,
  markBatchCancelled,
} from '@uprez/db/queries/jobs/batches';
import { deleteResultTargets } from '@uprez/db/queries/jobs/result-deliveries';
import type { Actor } from '../actor.ts';
import type { Needs } from '../context.ts';
import { recordBatchChange } from '../events/record-event.ts';
import { type CancelReason, cancelUntilFinal } from '../jobs/delete-job.ts';
import { reportLimit } from '../report-limit.ts';
import { formatReleaseReason } from '../usage/ledger-reasons.ts';
import { releaseUnits } from '../usage/release-units.ts';
import { recordRejectedItems } from './create-batch.ts';
import { getOwnBatch, type OwnItem } from './get-batch.ts';

/**
 * Cancels the unfinished items of a batch and releases their units. The units of jobs that ran longer than the free
 * cancellation time aren't released. Idempotent. Throws `batch_not_found`.
 */
export async function cancelBatch(ctx: Needs<'db' | 'publisher'>, { actor, id }: { actor: Actor; id: string }) {
  const batch = await getOwnBatch(ctx.db, actor, id);
  await ctx.db.transaction().execute((tx) => cancelWaitingItems(tx, batch));
  // Also cancels the jobs of files that arrived at the same time. The batch doesn't accept any more files now.
  for (const { jobId } of await listBatchItems(ctx.db, id)) if (jobId) await cancelUntilFinal(ctx, { jobId });
}

/** Stops accepting files for a batch, cancels its waiting items, and releases their units. */
export async function cancelWaitingItems(
  tx: Tx,
  batch: BatchRow,
  code: Exclude<CancelReason, 'administrator'> = 'cancelled',
): Promise<void> {
  await lockBatch(tx, batch.id);
  await markBatchCancelled(tx, batch.id);
  await endWaitingItems(tx, batch, { code, changes: { status: 'cancelled' } });
}

type EndOptions = { code: ErrorCode; changes: Parameters<typeof changeBatchItems>[2]; itemId?: string };

/**
 * Ends all waiting items of a batch, or only the item `itemId`, and releases their units. Returns the number of ended
 * items.
 */
async function endWaitingItems(tx: Tx, batch: BatchRow, { code, changes, itemId: id }: EndOptions): Promise<number> {
  const { id: batchId, accountId } = batch;
  const ended = await changeBatchItems(tx, { batchId, id, status: 'waiting' }, changes);
  if (ended.length === 0) return 0;
  await deleteResultTargets(
    tx,
    ended.map((item) => item.id),
  );
  await releaseUnits(tx, { accountId, ids: ended.map(({ unitId }) => unitId), reason: formatReleaseReason(code) });
  await recordRejectedItems(tx, batch, ended);
  await recordBatchChange(tx, batch);
  return ended.length;
}

/** Errors that are caused by the file or its recipe. Sending the same file again would fail again. */
const imageErrors: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'file_too_large',
  'unsupported_format',
  'empty_file',
  'corrupt_image',
  'too_many_pixels',
  'too_many_frames',
  'image_too_complex',
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

export const isImageError = (error: AppError): boolean => imageErrors.has(error.code);

/** Fails a waiting item and releases its unit. Doesn't affect other items. */
export async function failItem(ctx: Needs<'db'>, { batch, item }: OwnItem, { code, message }: AppError): Promise<void> {
  const changes = { status: 'failed', errorCode: code, errorDetail: message } as const;
  await ctx.db.transaction().execute((tx) => endWaitingItems(tx, batch, { code, changes, itemId: item.id }));
}

/**
 * Fails the items of overdue batches whose files never arrived, and releases their units. Returns the number of failed
 * items.
 */
export async function expireBatches(ctx: Needs<'db'>): Promise<number> {
  const code = 'file_never_came';
  const changes = { status: 'failed', errorCode: code, errorDetail: errorCodes[code].title } as const;
  let expired = 0;
  for (const id of await listOverdueBatches(ctx.db)) {
    expired += await ctx.db.transaction().execute(async (tx) => {
      const batch = await lockOverdueBatch(tx, id);
      // `batch` is undefined if a retry has extended the batch in the meantime.
      return batch ? endWaitingItems(tx, batch, { code, changes }) : 0;
    });
  }
  for (let i = 0; i < expired; i++) reportLimit('batch_time');
  return expired;
}
