import { randomUUID } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ApiError, type Job, JobFailedError, type ProcessOptions, type Uprez } from '@uprez/sdk-node';
import { fileExtensions } from '@uprez/sdk-node/facts';
import type { Folder } from '../files/open-folder.ts';
import { placeResult } from '../files/place-result.ts';
import type { Item } from '../files/plan-items.ts';
import type { Outcome } from './outcome.ts';

export type ApiMaking = {
  client: Uprez;
  folder: Folder;
  fields: Record<string, string>;
  force: boolean;
  signal: AbortSignal;
};
type Made = { job: Job; charged: number; cached: boolean };

/**
 * Make an image with the service. All that must not be done twice is noted before it is done: whatever kills this process,
 * the next run takes up the same job.
 */
export async function makeByApi(
  making: ApiMaking,
  item: Item,
  onProgress: (percent: number) => void,
): Promise<Outcome> {
  const { client, folder, force, signal } = making;
  const { job: begun, charged, cached } = (await findBegun(making, item)) ?? (await send(making, item));
  try {
    const job = await client.jobs.waitFor(begun, { signal, onProgress: ({ progress }) => onProgress(progress) });
    const part = join(folder.parts, item.key);
    await client.jobs.download(job, { signal }).toFile(part);
    const output = `${item.stem}.${fileExtensions[job.format]}`;
    const { size: bytes } = await stat(part);
    await placeResult(folder, part, { output, force });
    await folder.journal.note({ key: item.key, output, bytes });
    const { width, height } = job.processed_size ?? { width: 0, height: 0 };
    return { kind: 'done', output, width, height, bytes, charged, cached, notes: job.notes };
  } catch (error) {
    if (error instanceof JobFailedError) await folder.journal.note({ key: item.key, forgotten: true });
    throw error;
  }
}

/** The job that an earlier run made of the image, unless it came to nothing. */
async function findBegun({ client, folder, signal }: ApiMaking, { key }: Item): Promise<Made | undefined> {
  const { jobId } = folder.journal.find(key);
  if (!jobId) return undefined;
  try {
    const job = await client.jobs.get(jobId, { signal });
    if (job.status !== 'failed' && job.status !== 'cancelled' && job.status !== 'expired')
      return { job, charged: 0, cached: false };
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'job_not_found') throw error;
  }
  await folder.journal.note({ key, forgotten: true });
  return undefined;
}

async function send(making: ApiMaking, item: Item): Promise<Made> {
  const { client, folder, fields, signal } = making;
  const { key, path: source } = item;
  const { idempotencyKey: earlier } = folder.journal.find(key);
  const idempotencyKey = earlier ?? randomUUID();
  if (!earlier) await folder.journal.note({ key, source, idempotencyKey });
  try {
    const job = await client.process(source, fields as ProcessOptions, { idempotencyKey, signal });
    await folder.journal.note({ key, jobId: job.id });
    return { job, charged: job.charged, cached: job.cached };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    await folder.journal.note({ key, forgotten: true });
    // The file has changed without a trace, or the call is too long ago: then it is another one.
    if (error.code === 'idempotency_mismatch' && earlier) return send(making, item);
    throw error;
  }
}
