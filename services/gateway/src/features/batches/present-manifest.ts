import { AppError, chargeableMessage } from '@uprez/contracts/errors/app-error';
import { resultFormat } from '@uprez/contracts/policy/free-jobs';
import { fileExtensions } from '@uprez/contracts/policy/image-formats';
import type { ManifestRow } from '@uprez/contracts/schemas/batch';
import { type BatchUnits, type ItemWithJob, itemStatus } from '@uprez/domain/batches/get-batch';
import { type EntryFacts, nameEntries, parseNaming } from '@uprez/domain/batches/name-entries';
import type { ZipEntry } from '@uprez/domain/batches/open-zip';
import { jobFactor } from '@uprez/domain/events/record-event';
import type { JobWithFiles } from '@uprez/domain/jobs/get-job';

/** The path of each item with a job in the ZIP archive, by item. Throws `invalid_parameter` for an invalid pattern. */
function entryPaths(items: readonly ItemWithJob[], pattern: string | undefined): Map<string, string> {
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
  const { width, height } = job.plan.output;
  return {
    name: job.filename.replace(/\.[A-Za-z0-9]{1,5}$/, '') || 'image',
    factor: jobFactor(job),
    width,
    height,
    index: position + 1,
    ext: fileExtensions[resultFormat(job)],
    relativePath,
    filename: job.filename,
  };
}

/** `pattern`: of the names. An item has the same name whichever items are wanted. */
type Selection = { pattern: string | undefined; isWanted: (entry: ItemWithJob) => boolean };

/** The available results of a batch, as entries of a ZIP. Throws `job_not_finished` or `result_expired` if there are none. */
export function listZipEntries(items: readonly ItemWithJob[], { pattern, isWanted }: Selection): ZipEntry[] {
  const paths = entryPaths(items, pattern);
  const entries = items.filter(isWanted).flatMap(({ item, found }) => {
    const path = paths.get(item.id);
    if (!found?.result || !path) return [];
    return [{ path, object: found.result, modifiedAt: found.job.finishedAt ?? found.job.updatedAt }];
  });
  if (entries.length > 0) return entries;
  const isOver = items.some((entry) => itemStatus(entry) === 'expired');
  throw new AppError(isOver ? 'result_expired' : 'job_not_finished', {
    detail: isOver
      ? 'The results of this batch have been deleted.'
      : 'No images of this batch are finished yet. Try again later.',
  });
}

/** The manifest of a batch: one row for each wanted item, in order. */
export function presentManifest(
  items: readonly ItemWithJob[],
  { units, pattern, isWanted }: Selection & { units: BatchUnits },
): ManifestRow[] {
  const paths = entryPaths(items, pattern);
  return items
    .filter(isWanted)
    .map((entry) => presentRow(entry, paths.get(entry.item.id), units.get(entry.item.id) ?? 0));
}

function presentRow(entry: ItemWithJob, path: string | undefined, units: number): ManifestRow {
  const { item, found } = entry;
  const { job } = found ?? {};
  const { source } = job?.plan ?? {};
  const isDelivered = job?.receipt != null;
  const own = item.status === 'taken' ? job : item;
  return {
    item: item.id,
    clientId: item.clientId,
    job: item.jobId,
    name: item.name,
    path: (isDelivered && path) || null,
    status: itemStatus(entry),
    sourceWidth: source?.width ?? null,
    sourceHeight: source?.height ?? null,
    sourceBytes: job?.sourceBytes ?? item.sizeBytes,
    width: job?.receipt?.width ?? null,
    height: job?.receipt?.height ?? null,
    bytes: job?.receipt?.sizeBytes ?? null,
    sha256: job?.receipt?.sha256 ?? null,
    engine: job?.receipt?.engine ?? job?.plan.engine ?? null,
    units,
    error: own?.errorCode ?? null,
    message: own?.errorCode ? chargeableMessage({ code: own.errorCode, message: own.errorDetail }) : null,
  };
}
