import type { Size } from '../../../lib/format/format.ts';

/**
 * `pending`: not started, or waiting for its upload. `rejected`: not accepted into the list, shown with the reason. The
 * other statuses are those of the job.
 */
export type RowStatus =
  | 'pending'
  | 'uploading'
  | 'queued'
  | 'processing'
  | 'completed'
  | 'failed'
  | 'cancelled'
  | 'expired'
  | 'rejected';

/** The batch item and the job of a row. */
export type Place = { batchId: string; itemId: string; jobId?: string | undefined };

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
  /** Percentages of the upload and of the job. */
  sent: number;
  progress: number;
  /** Size of the image, once it is known. */
  pixels?: Size | undefined;
  result?: (Size & { fileSize: number }) | undefined;
  /** The file itself is invalid, so a retry would fail again. */
  refused?: boolean | undefined;
  /** Why the row was rejected, failed, or not started. */
  error?: string | undefined;
  at?: Place | undefined;
  /** The server waits for the file. */
  waits?: boolean | undefined;
  downloadUrl?: string | undefined;
  thumbnailUrl?: string | undefined;
};

/** Identifies a file that is dropped again. */
export const identity = ({ name, size, relativePath }: Pick<Row, 'name' | 'size' | 'relativePath'>) =>
  JSON.stringify([name, size, relativePath]);

/** Whether the file must be dropped again. */
export const needsFile = ({ status, file }: Row) => status === 'pending' && !file;

/** Whether the row waits for its upload to start. */
export const isToSend = ({ status, at, waits, file }: Row) =>
  status === 'pending' && at !== undefined && waits === true && file !== undefined;

/** Whether the row is active, or will be without further input. */
export const isUnderWay = (row: Row) =>
  row.status === 'uploading' || row.status === 'queued' || row.status === 'processing' || isToSend(row);

/** Whether a failed row can be retried. */
export const mayWork = ({ status, refused }: Row) => status === 'failed' && !refused;

/** Whether the row counts as an image. */
export const isImage = ({ status }: Row) => status !== 'rejected';

/** Resets a row to its state before the first run. */
export const detached = ({ at: _at, waits: _waits, error: _error, result: _result, ...row }: Row): Row => ({
  ...row,
  status: 'pending',
  sent: 0,
  progress: 0,
  downloadUrl: undefined,
  thumbnailUrl: undefined,
  refused: false,
});
