import { findFreeNote } from '@uprez/contracts/policy/free-jobs';
import { finalStatuses } from '@uprez/contracts/policy/job-status';
import type { Batch, BatchItem } from '@uprez/contracts/schemas/jobs/batch';
import type { Job } from '@uprez/contracts/schemas/jobs/job';
import { isFileError } from '../../../lib/images/is-file-error.ts';
import { type Row, resetRow } from '../state/row.ts';

/** Whether an item was read before its row got its final status. */
function isOutdated({ status, item: known }: Row, item: BatchItem): boolean {
  if (item.status === 'waiting') return status === 'completed' || status === 'cancelled' || status === 'expired';
  const isOver = (one: string) => (finalStatuses as readonly string[]).includes(one);
  return isOver(status) && !isOver(item.status) && known?.jobId === item.jobId;
}

export function applyItem(row: Row, batchId: string, item: BatchItem): Row {
  if (isOutdated(row, item)) return row;
  const ref = { batchId, itemId: item.id, jobId: item.jobId ?? undefined };
  if (item.status === 'waiting') return applyWaiting(row, ref);
  // The account had no credits left, so the item never started and can be submitted again.
  if (item.error?.code === 'quota_exceeded' && !item.jobId) return { ...resetRow(row), error: item.error.message };
  return {
    ...row,
    item: ref,
    awaitsFile: false,
    sent: 100,
    status: item.status,
    progress: item.progress,
    error: item.error?.message,
    note: findFreeNote(item.notes),
    isInvalid: isFileError(item.error?.code),
    imageSize: item.originalSize ?? row.imageSize,
    format: item.format ?? row.format,
    result: item.processedSize ?? undefined,
    downloadUrl: item.downloadUrl ?? undefined,
    thumbnailUrl: item.thumbnailUrl ?? undefined,
    freeCancelUntil: item.freeCancelUntil,
  };
}

/** Ignores outdated responses, which were sent before the upload started. */
function applyWaiting(row: Row, item: Row['item']): Row {
  if (row.status === 'uploading' || row.status === 'queued' || row.status === 'processing') return row;
  if (row.status === 'failed' && row.awaitsFile) return row;
  return {
    ...row,
    item,
    status: 'pending',
    awaitsFile: true,
    sent: 0,
    progress: 0,
    error: undefined,
    isInvalid: false,
  };
}

export function applyBatch(rows: readonly Row[], batch: Batch): Row[] {
  const items = new Map(batch.items.map((item) => [item.id, item]));
  return rows.map((row) => {
    const item = row.item?.batchId === batch.id ? items.get(row.item.itemId) : undefined;
    return item ? applyItem(row, batch.id, item) : row;
  });
}

export function applyNewBatch(rows: readonly Row[], batch: Batch): Row[] {
  const items = new Map(batch.items.map((item) => [item.clientId, item]));
  return rows.map((row) => {
    const item = items.get(row.id);
    return item ? applyItem(resetRow(row), batch.id, item) : row;
  });
}

/**
 * Applies a job's progress to its row. Ignores final statuses: they are applied with the batch, which also has the
 * links.
 */
export function applyJob(rows: readonly Row[], { id, status, progress, freeCancelUntil }: Job): readonly Row[] {
  if (status !== 'processing') return rows;
  const index = rows.findIndex(({ item }) => item?.jobId === id);
  const row = rows[index];
  if (!row || (row.status !== 'queued' && row.status !== 'processing') || progress < row.progress) return rows;
  return rows.with(index, { ...row, status, progress, freeCancelUntil });
}
