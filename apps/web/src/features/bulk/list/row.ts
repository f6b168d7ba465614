import type { Size } from '../../../lib/format/format.ts';

/**
 * `pending`: not asked for yet, or its turn to be sent has not come. `queued`, `processing` and what follows: as its job.
 * `rejected`: not taken into the list of images, shown with the reason.
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

/** Where a file is on the server. */
export type Place = { batchId: string; itemId: string; jobId?: string | undefined };

/** One file of the list. Its id is the `clientId` of its item. */
export type Row = {
  id: string;
  name: string;
  /** In the folder that was chosen, with its name; the name alone without a folder. */
  relativePath: string;
  size: number;
  /** Absent after a reload until it is found or dropped again; a file that was sent is not needed any more. */
  file?: File | undefined;
  status: RowStatus;
  /** 0-100, of the upload and of the job. */
  sent: number;
  progress: number;
  /** Of the file, as far as anybody has read it. */
  pixels?: Size | undefined;
  result?: (Size & { fileSize: number }) | undefined;
  /** The file itself cannot be worked on: it would fail again. */
  refused?: boolean | undefined;
  /** Why it was rejected, failed, or did not get its turn. */
  error?: string | undefined;
  at?: Place | undefined;
  /** The server waits for its file. */
  waits?: boolean | undefined;
  downloadUrl?: string | undefined;
  thumbnailUrl?: string | undefined;
};

/** What a file is recognised by when it is dropped again. */
export const identity = ({ name, size, relativePath }: Pick<Row, 'name' | 'size' | 'relativePath'>) =>
  JSON.stringify([name, size, relativePath]);

/** Whether nothing can go on before the file is dropped again. */
export const needsFile = ({ status, file }: Row) => status === 'pending' && !file;

/** Whether its turn to be sent will come by itself. */
export const isToSend = ({ status, at, waits, file }: Row) =>
  status === 'pending' && at !== undefined && waits === true && file !== undefined;

/** Whether something happens to it right now, or will without being asked for. */
export const isUnderWay = (row: Row) =>
  row.status === 'uploading' || row.status === 'queued' || row.status === 'processing' || isToSend(row);

/** Whether another try may do better. */
export const mayWork = ({ status, refused }: Row) => status === 'failed' && !refused;

/** Whether it belongs to the images, and counts. */
export const isImage = ({ status }: Row) => status !== 'rejected';

/** A row as if it had never been sent. */
export const detached = ({ at: _at, waits: _waits, error: _error, result: _result, ...row }: Row): Row => ({
  ...row,
  status: 'pending',
  sent: 0,
  progress: 0,
  downloadUrl: undefined,
  thumbnailUrl: undefined,
  refused: false,
});
