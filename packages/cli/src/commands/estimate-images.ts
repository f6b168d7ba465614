import type { Account, Estimate, EstimateInput, Uprez } from '@uprez/sdk-node';
import pLimit from 'p-limit';
import { formatPath } from '../buckets/s3-url.ts';
import { CliError, exitCodes, toFatalError } from '../cli-error.ts';
import type { CliContext } from '../config.ts';
import { findImages, type ImageSize, readImageSize } from '../files/find-images.ts';
import { openResults } from '../files/open-output.ts';
import { findResult } from '../files/place-result.ts';
import { type FoundImage, planItems } from '../files/plan-items.ts';
import type { Common, RunOptions } from '../parse-arguments.ts';
import { formatBytes, formatCount, formatCredits, formatSeconds, formatSize, formatTable } from '../report/format.ts';
import { openClient, settingsOf } from './open-run.ts';

/** `output` is the result if it already exists. `reason` says why the image would be rejected. */
type EstimateRow = {
  path: string;
  size?: { width: number; height: number };
  estimate?: Estimate;
  output?: string;
  reason?: string;
};

/** Shows sizes and costs of images without processing them. Returns the exit code. */
export async function estimateImages(context: CliContext, common: Common, options: RunOptions): Promise<number> {
  const { client, baseUrl } = await openClient(context, common);
  const settings = settingsOf(options, { baseUrl, sandbox: common.sandbox });
  const { fields, concurrency, force } = options;
  const found = await findImages(options);
  const results = await openResults(options.out, context.env.stateDir);
  const items = planItems(found, { settings, journal: results.journal });
  const done = await pLimit(concurrency).map(items, (item) => (force ? undefined : findResult(results, item)));
  const due = items.filter((_, index) => !done[index]);
  const rows: EstimateRow[] = [
    ...items.flatMap((item, index) => (done[index] ? [{ path: item.path, output: done[index].output }] : [])),
    ...(await estimateAll(due, { client, fields, concurrency, signal: context.signal })),
  ];
  if (common.json) for (const line of toJsonRows(rows)) context.out(`${JSON.stringify(line)}\n`);
  // The account is optional, because an API key without the `read` scope can't read it.
  else context.out(`${formatDryRun(rows, await client.account().catch(() => undefined))}\n`);
  return rows.some(({ reason }) => reason) ? exitCodes.someFailed : exitCodes.ok;
}

const toJsonRows = (rows: readonly EstimateRow[]): object[] => [
  ...rows.map(({ path: source, estimate, ...facts }) => ({ event: 'estimate', source, ...facts, ...estimate })),
  { event: 'summary', images: rows.length, units: Object.fromEntries(sumCredits(rows)) },
];

type EstimateOptions = { client: Uprez; fields: Record<string, string>; concurrency: number; signal: AbortSignal };

/** Sends only one request for images with the same size and format. */
async function estimateAll(found: readonly FoundImage[], options: EstimateOptions): Promise<EstimateRow[]> {
  const { client, concurrency, signal } = options;
  const { width, height, fit, ...fields } = options.fields;
  const target = Object.fromEntries(Object.entries({ width, height, fit }).filter(([, value]) => value !== undefined));
  const hasTarget = Object.keys(target).length > 0;
  const known = new Map<string, Promise<Estimate>>();
  const requestEstimate = (facts: EstimateInput) => {
    const name = JSON.stringify({ ...facts, bytes: 0 });
    const request = known.get(name) ?? client.estimate(facts, { signal });
    known.set(name, request);
    return request;
  };
  const estimateOne = async ({ path, sizeBytes, remote }: FoundImage): Promise<EstimateRow> => {
    const facts = await findImageSize(path, remote?.readHeader(signal));
    if (!facts) return { path, reason: "The image can't be read." };
    const { format, ...size } = facts;
    const about = { ...size, bytes: sizeBytes, ...(format && { source_format: format }) };
    try {
      const estimate = await requestEstimate({ ...about, ...fields, ...(hasTarget && { target }) } as EstimateInput);
      return { path, size, estimate, ...(estimate.limit && { reason: estimate.limit.detail }) };
    } catch (error) {
      throw toFatalError(error) ?? new CliError(error instanceof Error ? error.message : String(error));
    }
  };
  const limit = pLimit(concurrency);
  try {
    return await limit.map(found, estimateOne);
  } finally {
    limit.clearQueue();
  }
}

/** Returns `undefined` if the image can't be read. Throws CliError if the bucket can't be used. */
async function findImageSize(path: string, header?: Promise<Uint8Array>): Promise<ImageSize | undefined> {
  try {
    return await readImageSize((await header) ?? path);
  } catch (error) {
    if (error instanceof CliError) throw error;
    return undefined;
  }
}

const heading = ['Image', 'Size', 'Result', 'File size', 'Time', 'Credits', ''];

function sumCredits(rows: readonly EstimateRow[]): Map<Estimate['meter'], number> {
  const sums = new Map<Estimate['meter'], number>();
  for (const { estimate, reason } of rows)
    if (estimate && !reason) sums.set(estimate.meter, (sums.get(estimate.meter) ?? 0) + estimate.units);
  return sums;
}

function formatDryRun(rows: readonly EstimateRow[], account: Account | undefined): string {
  const table = formatTable([heading, ...rows.map(formatRow)]);
  const sums = [...sumCredits(rows)].map(([meter, units]) => {
    const left = account?.quota.find((quota) => quota.meter === meter)?.left;
    return `${formatCredits(units)} (${meter}${left === undefined ? '' : `, ${formatCount(left)} left`})`;
  });
  const rejected = rows.filter(({ reason }) => reason).length;
  const total = `This would cost ${sums.join(' and ') || formatCredits(0)}.`;
  return `${table}\n\n${total}${rejected > 0 ? `\n${formatCount(rejected)} of the images would be rejected.` : ''}`;
}

function formatRow({ path, size, estimate, output, reason = output && 'already done' }: EstimateRow): string[] {
  const name = formatPath(path);
  if (!estimate || reason) return [name, size ? formatSize(size) : '-', '-', '-', '-', '-', reason ?? ''];
  const { bytes, seconds, units, meter } = estimate;
  const file = bytes === null ? '-' : formatBytes(bytes);
  const time = seconds === null ? '-' : formatSeconds(seconds);
  return [name, size ? formatSize(size) : '-', formatSize(estimate), file, time, formatCount(units), meter];
}
