import { canProcess, isAcceptedRow, isBusy, isFileMissing, type ListState } from './row.ts';

/**
 * Returns why no image can be processed. Returns undefined if an image can be processed, or while images run, because
 * the list then shows their progress.
 */
export function findBlocker(state: ListState): 'filesNeeded' | 'noImages' | 'finished' | undefined {
  if (canProcess(state) || isBusy(state)) return undefined;
  const images = state.rows.filter(isAcceptedRow);
  if (images.length === 0) return 'noImages';
  return images.some(isFileMissing) ? 'filesNeeded' : 'finished';
}
