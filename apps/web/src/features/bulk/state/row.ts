import type { JobStatus } from '@uprez/contracts/policy/job-status';
import type { Size } from '../../../lib/format/format.ts';

/**
 * `pending`: not started, or waiting for its upload. `rejected`: not accepted into the list, shown with the reason. The
 * other statuses are those of the job.
 */
export type RowStatus = JobStatus | 'pending' | 'uploading' | 'rejected';

/** A file of the list. `id` is the `clientId` of its batch item. */
export type Row = {
  id: string;
  name: string;
  /** Path within the chosen folder, including its name; else the file name. */
  relativePath: string;
  size: number;
  /** Undefined after a reload until it is restored or dropped again. Not needed after the upload. */
  file?: File | undefined;
  status: RowStatus;
  sent: number;
  progress: number;
  /** Size of the image, once it is known. */
  imageSize?: Size | undefined;
  result?: (Size & { fileSize: number }) | undefined;
  /** The file itself is invalid, so a retry would fail again. */
  isInvalid?: boolean | undefined;
  error?: string | undefined;
  item?: { batchId: string; itemId: string; jobId?: string | undefined } | undefined;
  awaitsFile?: boolean | undefined;
  downloadUrl?: string | undefined;
  thumbnailUrl?: string | undefined;
};

/** Identifies a file that is dropped again. */
export const fileIdentity = ({ name, size, relativePath }: Pick<Row, 'name' | 'size' | 'relativePath'>) =>
  JSON.stringify([name, size, relativePath]);

/** Whether the file must be dropped again. */
export const isFileMissing = ({ status, file }: Row) => status === 'pending' && !file;

/** Whether the row waits for its upload to start. */
export const isAwaitingUpload = ({ status, item, awaitsFile, file }: Row) =>
  status === 'pending' && item !== undefined && awaitsFile === true && file !== undefined;

/** Whether the row is active, or will be without further input. */
export const isActive = (row: Row) =>
  row.status === 'uploading' || row.status === 'queued' || row.status === 'processing' || isAwaitingUpload(row);

export const isRetryable = ({ status, isInvalid }: Row) => status === 'failed' && !isInvalid;

export const isImage = ({ status }: Row) => status !== 'rejected';

/** Resets a row to its state before the first run. */
export const resetRow = ({ item: _, awaitsFile: _awaitsFile, error: _error, result: _result, ...row }: Row): Row => ({
  ...row,
  status: 'pending',
  sent: 0,
  progress: 0,
  downloadUrl: undefined,
  thumbnailUrl: undefined,
  isInvalid: false,
});
