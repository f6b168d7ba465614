import { AppError } from '@uprez/contracts/errors/app-error';
import { fileExtensions } from '@uprez/contracts/policy/image-formats';
import { type ItemWithJob, itemStatus } from '@uprez/domain/batches/get-batch';
import { type EntryFacts, nameEntries, parseNaming } from '@uprez/domain/batches/name-entries';
import type { ZipEntry } from '@uprez/domain/batches/open-zip';
import { jobFactor } from '@uprez/domain/events/record-job-event';
import type { JobWithFiles } from '@uprez/domain/jobs/get-job';

/**
 * The path in the batch's archive of each item that a job has, by item: the same whatever of it is finished. Throws
 * `invalid_parameter` for a pattern that cannot be.
 */
export function entryPaths(items: readonly ItemWithJob[], pattern: string | undefined): Map<string, string> {
  const naming = parseNaming(pattern);
  const named = items.flatMap(({ item, found }) =>
    found ? [{ id: item.id, facts: factsOf(found, item.position, item.relativePath) }] : [],
  );
  const paths = nameEntries(
    named.map(({ facts }) => facts),
    naming,
  );
  return new Map(named.map(({ id }, index) => [id, paths[index] ?? '']));
}

function factsOf({ job }: JobWithFiles, position: number, relativePath: string): EntryFacts {
  const { width, height, format } = job.plan.output;
  return {
    name: job.filename.replace(/\.[A-Za-z0-9]{1,5}$/, '') || 'image',
    factor: jobFactor(job),
    width,
    height,
    index: position + 1,
    ext: fileExtensions[format],
    relativePath,
    filename: job.filename,
  };
}

/**
 * What there is of a batch now, as entries of an archive. Throws `job_not_finished` while there is nothing,
 * `result_expired` once there is nothing any more.
 */
export function listZipEntries(items: readonly ItemWithJob[], pattern: string | undefined): ZipEntry[] {
  const paths = entryPaths(items, pattern);
  const entries = items.flatMap(({ item, found }) => {
    const path = paths.get(item.id);
    if (!found?.result || !path) return [];
    return [{ path, object: found.result, modifiedAt: found.job.finishedAt ?? found.job.updatedAt }];
  });
  if (entries.length > 0) return entries;
  const isOver = items.some((entry) => itemStatus(entry) === 'expired');
  throw new AppError(isOver ? 'result_expired' : 'job_not_finished', {
    detail: isOver ? 'The results of this batch have been deleted.' : 'Nothing of this batch is finished yet.',
  });
}
