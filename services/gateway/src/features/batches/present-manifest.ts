import { chargeableMessage } from '@uprez/contracts/errors/chargeable-message';
import type { ManifestRow } from '@uprez/contracts/schemas/batch';
import { type BatchUnits, type ItemWithJob, itemStatus } from '@uprez/domain/batches/get-batch';
import { stringify } from 'csv-stringify/sync';
import { entryPaths } from './batch-entries.ts';

/** What became of each file of a batch, in order. */
export function presentManifest(
  items: readonly ItemWithJob[],
  { units, pattern }: { units: BatchUnits; pattern: string | undefined },
): ManifestRow[] {
  const paths = entryPaths(items, pattern);
  return items.map((entry) => presentRow(entry, paths.get(entry.item.id), units.get(entry.item.id) ?? 0));
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

/** Spreadsheets read such cells as formulas (OWASP, "CSV Injection"); `escape_formulas` misses those after a space. */
const formula = /^\s*[=+\-@\t\r]/;

/** A manifest as RFC 4180 has it, with a byte order mark for spreadsheets. */
export const manifestCsv = (rows: readonly Record<string, string | number | null>[]): string =>
  stringify([...rows], {
    bom: true,
    header: true,
    record_delimiter: 'windows',
    quoted_match: /[\r\n]/,
    cast: { string: (text) => (formula.test(text) ? `'${text}` : text) },
  });
