import type { OutputFormat } from '@uprez/contracts/policy/images/image-formats';
import type { JobStatus } from '@uprez/contracts/policy/job-status';
import { checkPlanLimits } from '@uprez/contracts/policy/plans/check-plan-limits';
import type { Plan } from '@uprez/contracts/policy/plans/plan-versions';
import type { Size } from '../../../lib/format/format.ts';
import type { ImageFacts } from '../../../lib/images/read-image-facts.ts';
import type { RecipeSettings } from '../../../ui/recipe/recipe-settings.ts';

/** `pending`: not started yet, or waiting for its file to be uploaded. `rejected`: not accepted into the list. */
export type RowStatus = JobStatus | 'pending' | 'uploading' | 'rejected';

/** A file in the list. `id` is the `clientId` of its batch item. */
export type Row = {
  id: string;
  name: string;
  /** Path within the chosen folder, including the file name. Without a folder, only the file name. */
  relativePath: string;
  size: number;
  /** Media type that the browser reports. */
  mediaType?: string | undefined;
  /** Undefined after a reload until the file is restored or added again. Not needed after the upload. */
  file?: File | undefined;
  /** Options that override the settings for all images. */
  options?: Partial<RecipeSettings> | undefined;
  status: RowStatus;
  sent: number;
  progress: number;
  imageSize?: Size | undefined;
  /** Metadata read from the file, and whether it has transparent pixels. */
  facts?: (ImageFacts & { isTransparent?: boolean }) | undefined;
  /** Hash of the file's bytes. Set only if another file in the list has the same size. */
  digest?: string | undefined;
  format?: OutputFormat | undefined;
  result?: (Size & { fileSize: number }) | undefined;
  /** Whether the file itself is invalid, so a retry would fail again. */
  isInvalid?: boolean | undefined;
  error?: string | undefined;
  /** Why the result was free. */
  note?: string | undefined;
  item?: { batchId: string; itemId: string; jobId?: string | undefined } | undefined;
  awaitsFile?: boolean | undefined;
  downloadUrl?: string | undefined;
  thumbnailUrl?: string | undefined;
  freeCancelUntil?: string | undefined;
};

export const fileIdentityOf = ({ name, size, relativePath }: Pick<Row, 'name' | 'size' | 'relativePath'>) =>
  JSON.stringify([name, size, relativePath]);

export const isFileMissing = ({ status, file }: Row) => status === 'pending' && !file;

export const isAwaitingUpload = ({ status, item, awaitsFile, file }: Row) =>
  status === 'pending' && item !== undefined && awaitsFile === true && file !== undefined;

/** Whether the row is running, or will run without further input from the user. */
export const isActive = (row: Row) =>
  row.status === 'uploading' || row.status === 'queued' || row.status === 'processing' || isAwaitingUpload(row);

export const isRetryable = ({ status, isInvalid }: Row) => status === 'failed' && !isInvalid;

export const isAcceptedRow = ({ status }: Row) => status !== 'rejected';

export const resetRow = ({ item: _, awaitsFile: _awaitsFile, error: _error, result: _result, ...row }: Row): Row => ({
  ...row,
  format: undefined,
  note: undefined,
  status: 'pending',
  sent: 0,
  progress: 0,
  downloadUrl: undefined,
  thumbnailUrl: undefined,
  freeCancelUntil: undefined,
  isInvalid: false,
});

/** `starting`: whether a request to start a run is pending. */
export type ListState = { rows: readonly Row[]; starting: boolean };

export const isBusy = ({ rows, starting }: ListState) => starting || rows.some(isActive);

const isSubmittable = (row: Row) =>
  isRetryable(row) || (row.status === 'pending' && !isAwaitingUpload(row) && !isFileMissing(row));

/**
 * Returns the rows that Process All would run. `run` contains the rows within the plan's limit, `locked` the rows that
 * exceed it.
 */
export function splitByPlan(rows: readonly Row[], ownPlan: Plan): { run: Row[]; locked: Row[] } {
  const wanted = rows.filter(isSubmittable);
  const permission = checkPlanLimits(ownPlan, { what: 'bulk', files: wanted.length });
  const limit = permission.ok ? wanted.length : Number(permission.limit);
  return { run: wanted.slice(0, limit), locked: wanted.slice(limit) };
}

/** Whether Process All is enabled: nothing is running, and at least one row can be submitted. */
export const canProcess = (state: ListState) => !isBusy(state) && state.rows.some(isSubmittable);

export const canClear = (state: ListState) => !isBusy(state) && state.rows.length > 0;

export const canRemove = (row: Row) => !isActive(row);

export const canRetry = (row: Row, busy: boolean) => !busy && (isRetryable(row) || row.status === 'cancelled');

export const canCancel = ({ status, item }: Row) => (status === 'queued' || status === 'processing') && !!item?.jobId;

/** The upload's share of a row's progress. It is small, because processing takes most of the time. */
const uploadShare = 0.03;

function progressShareOf({ status, sent, progress }: Row): number {
  if (status === 'pending') return 0;
  if (status === 'uploading') return (sent / 100) * uploadShare;
  if (status === 'queued') return uploadShare;
  return status === 'processing' ? uploadShare + (progress / 100) * (1 - uploadShare) : 1;
}

export function rowsOfRun(rows: readonly Row[], runIds: readonly string[]): Row[] {
  const ids = new Set(runIds);
  return rows.filter(({ id }) => ids.has(id));
}

export type Summary = ReturnType<typeof summarize>;

/**
 * Counts the rows of a list or of a run by state. `percent`: overall progress, including the progress of running rows.
 */
export function summarize(rows: readonly Row[]) {
  const images = rows.filter(isAcceptedRow);
  const count = (...statuses: Row['status'][]) => images.filter(({ status }) => statuses.includes(status)).length;
  const share = images.reduce((sum, row) => sum + progressShareOf(row), 0) / Math.max(1, images.length);
  return {
    total: images.length,
    done: count('completed', 'expired'),
    failed: count('failed'),
    cancelled: count('cancelled'),
    lost: images.filter(isFileMissing).length,
    percent: Math.floor(100 * share),
  };
}
