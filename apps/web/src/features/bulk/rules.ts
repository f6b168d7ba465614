import { may } from '@uprez/contracts/may';
import type { Tier } from '@uprez/contracts/plans';
import { isPicture, isToSend, isUnderWay, needsFile, type Row } from './row.ts';

/** A list, and whether a call that starts a run is on its way. */
export type ListState = { rows: readonly Row[]; starting: boolean };

export const isBusy = ({ rows, starting }: ListState) => starting || rows.some(isUnderWay);

/** Only what is pending or has failed is submitted. */
export const isSubmittable = (row: Row) =>
  row.status === 'failed' || (row.status === 'pending' && !isToSend(row) && !needsFile(row));

/** What Process All would run, and what the plan leaves for later. */
export function splitByPlan(rows: readonly Row[], tier: Tier): { run: Row[]; locked: Row[] } {
  const wanted = rows.filter(isSubmittable);
  const permission = may(tier, { what: 'bulk', files: wanted.length });
  const limit = permission.ok ? wanted.length : Number(permission.limit);
  return { run: wanted.slice(0, limit), locked: wanted.slice(limit) };
}

/** Process All is disabled when all items are completed or while busy. */
export const canProcess = (state: ListState) => !isBusy(state) && state.rows.some(isSubmittable);

/** Clear All is disabled while busy. */
export const canClear = (state: ListState) => !isBusy(state) && state.rows.length > 0;

/** A processing item cannot be removed while a batch runs; what is on its way there cannot either. */
export const canRemove = (row: Row) => !isUnderWay(row);

/** A single file may be tried again once it failed or was cancelled, and nothing else runs. */
export const canRetry = (row: Row, busy: boolean) => !busy && (row.status === 'failed' || row.status === 'cancelled');

/** Its job can be stopped alone. */
export const canCancel = ({ status, at }: Row) => (status === 'queued' || status === 'processing') && !!at?.jobId;

export type Summary = {
  total: number;
  done: number;
  failed: number;
  cancelled: number;
  /** Their files have to be dropped again. */
  lost: number;
  /** 0-1 of what was asked for. */
  share: number;
};

/** How far a row is: sending counts less than making. */
function shareOf({ status, sent, progress }: Row): number {
  if (status === 'pending') return 0;
  if (status === 'uploading') return (sent / 100) * 0.3;
  if (status === 'queued') return 0.3;
  return status === 'processing' ? 0.3 + (progress / 100) * 0.7 : 1;
}

/** The line below the list. `asked`: ids of what the run is about; the share is theirs. */
export function summarise(rows: readonly Row[], asked: readonly string[]): Summary {
  const pictures = rows.filter(isPicture);
  const count = (...statuses: Row['status'][]) => pictures.filter(({ status }) => statuses.includes(status)).length;
  const ids = new Set(asked);
  const run = pictures.filter(({ id }) => ids.has(id));
  return {
    total: pictures.length,
    done: count('completed', 'expired'),
    failed: count('failed'),
    cancelled: count('cancelled'),
    lost: pictures.filter(needsFile).length,
    share: run.length === 0 ? 0 : run.reduce((sum, row) => sum + shareOf(row), 0) / run.length,
  };
}
