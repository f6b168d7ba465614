import {
  type Batch,
  type BatchItem,
  type BatchItemStatus,
  type BulkResults,
  batchItemStatuses,
} from '@uprez/contracts/schemas/jobs/batch';
import {
  type BatchSummary,
  type BatchWithItems,
  type ItemWithJob,
  isFinalItem,
  isSettled,
  itemStatusOf,
} from '@uprez/domain/batches/get-batch';
import type { Config } from '../../config.ts';
import { presentJob, presentJobError } from '../jobs/present-job.ts';

type LinkConfig = Pick<Config, 'URL_SECRET'>;

export function presentBatchItem(config: LinkConfig, entry: ItemWithJob, base = '/api'): BatchItem {
  const { item, found } = entry;
  const job = found && item.status === 'taken' ? presentJob(config, found, base) : undefined;
  const ownError = item.errorCode ? presentJobError({ code: item.errorCode, message: item.errorDetail }) : null;
  return {
    id: item.id,
    clientId: item.clientId,
    name: item.name,
    relativePath: item.relativePath,
    size: item.sizeBytes,
    status: itemStatusOf(entry),
    progress: isSettled(entry) ? 100 : (entry.found?.job.progress ?? 0),
    jobId: item.jobId,
    originalSize: job?.originalSize ?? null,
    processedSize: job?.processedSize ?? null,
    ...(job && { format: job.format }),
    downloadUrl: job?.downloadUrl ?? null,
    delivery: presentDelivery(entry),
    thumbnailUrl: job?.thumbnailUrl ?? null,
    ...(job?.freeCancelUntil && { freeCancelUntil: job.freeCancelUntil }),
    notes: job?.notes ?? [],
    error: job?.error ?? ownError,
  };
}

/**
 * Presents the delivery of an item's result to its upload target. The status is `cancelled` if the item ended without
 * being completed, or if it was retried after its target was deleted.
 */
function presentDelivery(entry: ItemWithJob): BatchItem['delivery'] {
  const { delivery } = entry;
  if (!delivery) return null;
  const { status, host, attempts, error, answered, nextAt, deliveredAt, hasTarget } = delivery;
  const isCancelled = !hasTarget || isSettled(entry);
  return {
    status: status === 'pending' && !nextAt ? (isCancelled ? 'cancelled' : 'waiting') : status,
    ...{ host, attempts, error, statusCode: answered },
    nextAttemptAt: nextAt?.toISOString() ?? null,
    deliveredAt: deliveredAt?.toISOString() ?? null,
  };
}

export function presentBatchSummary({ batch, counts }: BatchSummary): Omit<Batch, 'items'> {
  const total = counts.reduce((sum, { count }) => sum + count, 0);
  const count = (wanted: BatchItemStatus) =>
    counts.reduce((sum, row) => sum + (row.status === wanted ? row.count : 0), 0);
  const isActive = counts.some(({ status }) => !isFinalItem(status));
  const progress = counts.reduce((sum, row) => sum + (isFinalItem(row.status) ? 100 * row.count : row.progress), 0);
  return {
    id: batch.id,
    status: batch.cancelledAt ? 'cancelled' : isActive ? 'active' : 'finished',
    progress: Math.floor(progress / total),
    counts: {
      total,
      ...Object.fromEntries(batchItemStatuses.map((status) => [status, count(status)])),
    } as Batch['counts'],
    recipe: batch.recipe,
    paused: batch.isPaused && isActive,
    createdAt: batch.createdAt.toISOString(),
    expiresAt: batch.expiresAt.toISOString(),
  };
}

export const summarizeBatch = ({ batch, items }: BatchWithItems): BatchSummary => ({
  batch,
  counts: items.map((entry) => ({
    status: itemStatusOf(entry),
    count: 1,
    progress: entry.found?.job.progress ?? 0,
  })),
});

export const presentBatch = (config: LinkConfig, found: BatchWithItems): Batch => ({
  ...presentBatchSummary(summarizeBatch(found)),
  items: found.items.map((entry) => presentBatchItem(config, entry)),
});

/**
 * Presents the results of a form's items. `error` is a sentence rather than an object, because this response is older
 * than batches.
 */
export const presentBulkResult = (config: LinkConfig, { batch, items }: BatchWithItems): BulkResults => ({
  batchId: batch.id,
  results: items.map((entry) => {
    const { id, jobId, name, status, error, downloadUrl } = presentBatchItem(config, entry);
    return { id: jobId ?? id, filename: name, status, error: error?.message ?? null, downloadUrl };
  }),
});
