import { may } from '@uprez/contracts/policy/may';
import type { Tier } from '@uprez/contracts/policy/plans';
import { isImage, isToSend, isUnderWay, mayWork, needsFile, type Row } from './row.ts';

/** A list, and whether a call that starts a run is on its way. */
export type ListState = { rows: readonly Row[]; starting: boolean };

export const isBusy = ({ rows, starting }: ListState) => starting || rows.some(isUnderWay);

/** Only what is pending or has failed is submitted; a file that cannot be worked on would only fail again. */
export const isSubmittable = (row: Row) =>
  mayWork(row) || (row.status === 'pending' && !isToSend(row) && !needsFile(row));

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
export const canRetry = (row: Row, busy: boolean) => !busy && (mayWork(row) || row.status === 'cancelled');

/** Its job can be stopped alone. */
export const canCancel = ({ status, at }: Row) => (status === 'queued' || status === 'processing') && !!at?.jobId;

export type Summary = {
  total: number;
  done: number;
  failed: number;
  cancelled: number;
  /** Their files have to be dropped again. */
  lost: number;
  /** 0-100 of all of them that are over, however they ended. */
  percent: number;
  /** 0-1 of the work that was asked for, what is half done counting half. */
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
  const images = rows.filter(isImage);
  const count = (...statuses: Row['status'][]) => images.filter(({ status }) => statuses.includes(status)).length;
  const ids = new Set(asked);
  const run = images.filter(({ id }) => ids.has(id));
  const [done, failed, cancelled] = [count('completed', 'expired'), count('failed'), count('cancelled')];
  return {
    ...{ total: images.length, done, failed, cancelled },
    percent: images.length === 0 ? 0 : Math.floor(((done + failed + cancelled) / images.length) * 100),
    lost: images.filter(needsFile).length,
    share: run.length === 0 ? 0 : run.reduce((sum, row) => sum + shareOf(row), 0) / run.length,
  };
}
