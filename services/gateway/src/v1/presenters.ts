import { isFinalStatus } from '@uprez/contracts/policy/job-status';
import { toCamelCase } from '@uprez/contracts/recipe/parse-recipe';
import type { Batch, BatchItem, ManifestRow, PublicBatch, PublicBatchItem } from '@uprez/contracts/schemas/jobs/batch';
import type { DryRun } from '@uprez/contracts/schemas/jobs/estimate';
import type { Job, PublicJob } from '@uprez/contracts/schemas/jobs/job';
import { toPublicName, toSnakeCase } from '@uprez/contracts/v1/fields';
import type { BatchSummary, BatchWithItems, ItemWithJob } from '@uprez/domain/batches/get-batch';
import type { PreparedUpload } from '@uprez/domain/intake/prepare-upload';
import type { JobWithFiles } from '@uprez/domain/jobs/get-job';
import { estimateSeconds } from '@uprez/imaging/pipeline/estimate';
import type { Config } from '../config.ts';
import { presentBatchItem, presentBatchSummary, summarizeBatch } from '../features/batches/present-batch.ts';
import { isCopy, presentJob } from '../features/jobs/present-job.ts';
import { absoluteUrl, documentationUrl } from '../http/public-links.ts';

type LinkConfig = Pick<Config, 'URL_SECRET' | 'PUBLIC_URL'>;
/** `prefix` is `/v1` or the sandbox prefix. `notes` are added to the job's own notes. */
type Options = { prefix: string; notes?: readonly string[] | undefined };

/**
 * Returns a job as `/v1` presents it, before the plugin renames the fields. The response schema removes fields that
 * only `/api` has.
 */
export function presentV1Job(
  config: LinkConfig,
  found: JobWithFiles,
  { prefix, notes = [] }: Options,
): Job & PublicJob {
  const { kind } = found.job;
  const { error, ...job } = presentJob(config, found, '/v1');
  return {
    ...job,
    jobId: job.id,
    success: isFinalStatus(job.status) ? found.job.errorCode === null : null,
    processingTime: job.processingTimeMs === null ? null : job.processingTimeMs / 1_000,
    downloadUrl: job.downloadUrl && absoluteUrl(config, job.downloadUrl),
    statusUrl: absoluteUrl(config, `${prefix}/jobs/${job.id}`),
    sandbox: kind === 'sandbox',
    cached: isCopy(found.job),
    notes: [...new Set([...notes, ...job.notes])],
    ...(error && { error: presentV1Error(config, error) }),
  };
}

const presentV1Error = (config: LinkConfig, error: { code: string; message: string }) => ({
  ...error,
  documentationUrl: documentationUrl(config, error.code),
});

export function presentDryRun(
  { plan, recipe, notes, source: { sizeBytes } }: PreparedUpload,
  charge: Pick<DryRun, 'units' | 'meter'>,
): DryRun {
  const { source, output, estimate, engine } = plan;
  return {
    dryRun: true,
    width: output.width,
    height: output.height,
    bytes: estimate.outputBytes,
    seconds: estimate.seconds,
    minSeconds: estimateSeconds(plan),
    format: output.format,
    quality: recipe.quality,
    engine,
    originalSize: { width: source.width, height: source.height, fileSize: sizeBytes },
    ...charge,
    notes,
  };
}

/** Returns a batch item as `/v1` presents it, before the plugin renames the fields. */
export function presentV1BatchItem(
  config: LinkConfig,
  entry: ItemWithJob,
  prefix: string,
): BatchItem & PublicBatchItem {
  const { error, ...item } = presentBatchItem(config, entry, '/v1');
  const upload = `${prefix}/batches/${entry.item.batchId}/items/${item.id}`;
  return {
    ...item,
    downloadUrl: item.downloadUrl && absoluteUrl(config, item.downloadUrl),
    uploadUrl: item.status === 'waiting' && entry.item.imageUrl === null ? absoluteUrl(config, upload) : null,
    error: error && presentV1Error(config, error),
  };
}

type V1Summary = Omit<Batch & PublicBatch, 'items' | 'notes'>;

/** Returns a batch as `/v1` presents it, without its items, before the plugin renames the fields. */
export function presentV1BatchSummary(config: LinkConfig, found: BatchSummary, prefix: string): V1Summary {
  const batch = presentBatchSummary(found);
  const url = absoluteUrl(config, `${prefix}/batches/${batch.id}`);
  return { ...batch, batchId: batch.id, sandbox: found.batch.isSandbox, statusUrl: url, zipUrl: `${url}/zip` };
}

type PresentBatchOptions = { prefix: string; notes?: readonly string[] | undefined };
/** Returns a batch with its items as `/v1` presents it. `notes` are those of the request that creates the batch. */
export const presentV1Batch = (
  config: LinkConfig,
  found: BatchWithItems,
  { prefix, notes = [] }: PresentBatchOptions,
): Batch & PublicBatch => ({
  ...presentV1BatchSummary(config, summarizeBatch(found), prefix),
  items: found.items.map((entry) => presentV1BatchItem(config, entry, prefix)),
  notes: [...notes],
});

export const presentV1ManifestRow = ({ item, clientId, job, ...facts }: ManifestRow) =>
  toSnakeCaseNames({ itemId: item, clientId, jobId: job, ...facts }) as Record<string, string | number | null>;

const snakeName = cacheNames(toSnakeCase);
const publicFieldName = cacheNames(toPublicName);

/** Returns a copy with all field names in snake_case: `retryAfterS` becomes `retry_after_s`. */
export const toSnakeCaseNames = (value: unknown): unknown => renameFields(value, snakeName);

/** Returns a response body for `/v1`. Renames fields to snake_case, and wraps lists in an envelope. */
export function toV1Body(payload: unknown): unknown {
  const body = renameFields(payload, publicFieldName);
  return Array.isArray(body) ? { data: body, next_cursor: null } : body;
}

/** Converts names to camelCase at every level, except inside `recipe`, which accepts aliases. */
export const toCamelCaseNames = (value: unknown): unknown => renameFields(value, toCamelCase, 'recipe');

/** Converts the top-level keys of an object to camelCase. Returns other values unchanged. */
export const toCamelCaseKeys = (value: unknown): unknown =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [toCamelCase(name), inner]))
    : value;

/** Responses have a few hundred. */
const maxCachedNames = 1_000;

/** Converting a name takes longer than everything else that `rename` does. */
function cacheNames(nameOf: (name: string) => string): (name: string) => string {
  const known = new Map<string, string>();
  return (name) => {
    const found = known.get(name);
    if (found !== undefined) return found;
    const made = nameOf(name);
    if (known.size < maxCachedNames) known.set(name, made);
    return made;
  };
}

/**
 * Renames fields at all levels. `kept` is a field with a value that stays unchanged. A field named `__proto__` would
 * set the prototype here, but such bodies are rejected earlier.
 */
function renameFields(value: unknown, nameOf: (name: string) => string, kept?: string): unknown {
  if (Array.isArray(value)) return value.map((inner) => renameFields(inner, nameOf, kept));
  if (value === null || typeof value !== 'object') return value;
  const renamed: Record<string, unknown> = {};
  // `Object.entries` would take five times as long, and responses can contain hundreds of objects.
  for (const name of Object.keys(value)) {
    const inner = (value as Record<string, unknown>)[name];
    renamed[nameOf(name)] = name === kept ? inner : renameFields(inner, nameOf, kept);
  }
  return renamed;
}
