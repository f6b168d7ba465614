import { AppError } from '@uprez/contracts/errors/app-error';
import type { ItemWithJob } from './get-batch.ts';

type SentFile = { sizeBytes: number; sha256?: string };

/**
 * Throws `item_has_file` if the job of an item has another file than the one that was sent. Nothing is known about the file
 * of an item without a job.
 */
export function requireSameFile({ found }: Pick<ItemWithJob, 'found'>, { sizeBytes, sha256 }: SentFile): void {
  if (!found) return;
  const { job, source } = found;
  const known = source?.sha256 ?? job.receipt?.source.sha256 ?? undefined;
  const isOther = sizeBytes !== job.sourceBytes || (known !== undefined && sha256 !== undefined && known !== sha256);
  if (isOther) throw new AppError('item_has_file');
}
