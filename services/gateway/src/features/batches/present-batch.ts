import {
  type Batch,
  type BatchItem,
  type BatchItemStatus,
  type BulkDone,
  batchItemStatuses,
} from '@uprez/contracts/schemas/batch';
import { type BatchWithItems, type ItemWithJob, isSettled, itemStatus } from '@uprez/domain/batches/get-batch';
import type { Config } from '../../config.ts';
import { presentJob, presentJobError } from '../jobs/present-job.ts';

type LinkConfig = Pick<Config, 'URL_SECRET'>;

/** An item as `/api` answers it: its own facts, and what its job is. */
export function presentBatchItem(config: LinkConfig, entry: ItemWithJob, base = '/api'): BatchItem {
  const { item, found } = entry;
  const job = found && item.status === 'taken' ? presentJob(config, found, base) : undefined;
  return {
    id: item.id,
    clientId: item.clientId,
    name: item.name,
    relativePath: item.relativePath,
    size: item.sizeBytes,
    status: itemStatus(entry),
    progress: progressOf(entry),
    jobId: item.jobId,
    originalSize: job?.originalSize ?? null,
    processedSize: job?.processedSize ?? null,
    downloadUrl: job?.downloadUrl ?? null,
    thumbnailUrl: job?.thumbnailUrl ?? null,
    error: errorOf(entry, job?.error),
  };
}

const errorOf = ({ item }: ItemWithJob, ofJob: BatchItem['error'] | undefined) =>
  ofJob ?? (item.errorCode ? presentJobError({ code: item.errorCode, message: item.errorDetail }) : null);

/** What failed is over, too. */
const progressOf = (entry: ItemWithJob) => (isSettled(entry) ? 100 : (entry.found?.job.progress ?? 0));

/** A batch as `/api` answers it. */
export function presentBatch(config: LinkConfig, { batch, items }: BatchWithItems, base = '/api'): Batch {
  const statuses = items.map(itemStatus);
  const count = (wanted: BatchItemStatus) => statuses.filter((status) => status === wanted).length;
  const counts = Object.fromEntries(batchItemStatuses.map((status) => [status, count(status)]));
  const progress = items.reduce((sum, entry) => sum + progressOf(entry), 0) / items.length;
  return {
    id: batch.id,
    status: batch.cancelledAt ? 'cancelled' : items.every(isSettled) ? 'finished' : 'active',
    progress: Math.floor(progress),
    counts: { total: items.length, ...counts } as Batch['counts'],
    recipe: batch.recipe,
    createdAt: batch.createdAt.toISOString(),
    expiresAt: batch.expiresAt.toISOString(),
    items: items.map((entry) => presentBatchItem(config, entry, base)),
  };
}

/** The results of images that came in one form; the error is a sentence, as it was before there were batches. */
export const presentBulk = (config: LinkConfig, { batch, items }: BatchWithItems): BulkDone => ({
  batchId: batch.id,
  results: items.map((entry) => {
    const { id, jobId, name, status, error, downloadUrl } = presentBatchItem(config, entry);
    return { id: jobId ?? id, filename: name, status, error: error?.message ?? null, downloadUrl };
  }),
});
