import { may } from '@uprez/contracts/policy/may';
import type { Tier } from '@uprez/contracts/policy/plans';
import { isActive, isAwaitingUpload, isFileMissing, isImage, isRetryable, type Row } from './row.ts';

/** `starting`: a request that starts a run is pending. */
export type ListState = { rows: readonly Row[]; starting: boolean };

export const isBusy = ({ rows, starting }: ListState) => starting || rows.some(isActive);

export const isSubmittable = (row: Row) =>
  isRetryable(row) || (row.status === 'pending' && !isAwaitingUpload(row) && !isFileMissing(row));

/** The rows that Process All would run, and the rows beyond the plan's limit. */
export function splitByPlan(rows: readonly Row[], tier: Tier): { run: Row[]; locked: Row[] } {
  const wanted = rows.filter(isSubmittable);
  const permission = may(tier, { what: 'bulk', files: wanted.length });
  const limit = permission.ok ? wanted.length : Number(permission.limit);
  return { run: wanted.slice(0, limit), locked: wanted.slice(limit) };
}

/** Process All is disabled while busy, and when all rows are completed. */
export const canProcess = (state: ListState) => !isBusy(state) && state.rows.some(isSubmittable);

export const canClear = (state: ListState) => !isBusy(state) && state.rows.length > 0;

export const canRemove = (row: Row) => !isActive(row);

export const canRetry = (row: Row, busy: boolean) => !busy && (isRetryable(row) || row.status === 'cancelled');

export const canCancel = ({ status, item }: Row) => (status === 'queued' || status === 'processing') && !!item?.jobId;

/** Progress of a row from 0 to 1. The upload counts for 30 percent. */
function shareOf({ status, sent, progress }: Row): number {
  if (status === 'pending') return 0;
  if (status === 'uploading') return (sent / 100) * 0.3;
  if (status === 'queued') return 0.3;
  return status === 'processing' ? 0.3 + (progress / 100) * 0.7 : 1;
}

export type Summary = ReturnType<typeof summarizeList>;

/** `share`: progress of the current run from 0 to 1, including partial progress of rows. */
export function summarizeList(rows: readonly Row[], runIds: readonly string[]) {
  const images = rows.filter(isImage);
  const count = (...statuses: Row['status'][]) => images.filter(({ status }) => statuses.includes(status)).length;
  const ids = new Set(runIds);
  const run = images.filter(({ id }) => ids.has(id));
  const [done, failed, cancelled] = [count('completed', 'expired'), count('failed'), count('cancelled')];
  return {
    ...{ total: images.length, done, failed, cancelled },
    percent: images.length === 0 ? 0 : Math.floor(((done + failed + cancelled) / images.length) * 100),
    lost: images.filter(isFileMissing).length,
    share: run.length === 0 ? 0 : run.reduce((sum, row) => sum + shareOf(row), 0) / run.length,
  };
}
