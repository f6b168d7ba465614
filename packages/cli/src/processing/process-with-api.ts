import { randomUUID } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { ApiError, type Job, JobFailedError, type ProcessOptions, type Uprez } from '@uprez/sdk-node';
import { fileExtensions } from '@uprez/sdk-node/facts';
import type { Item } from '../files/plan-items.ts';
import { useSource } from '../files/use-source.ts';
import type { Outcome, Processing } from './run-items.ts';

type ApiProcessing = Processing & { client: Uprez };
type SubmittedJob = { job: Job; charged: number };

/**
 * Processes an image with the service. Each step is recorded in the journal before it is done, so the next run continues
 * with the same job after a crash.
 */
export async function processWithApi(
  options: ApiProcessing,
  item: Item,
  onProgress: (percent: number) => void,
): Promise<Outcome> {
  const { client, results, force, signal } = options;
  const { job: submitted, charged } = (await findPendingJob(options, item)) ?? (await submit(options, item));
  try {
    const job = await client.jobs.waitFor(submitted, { signal, onProgress: ({ progress }) => onProgress(progress) });
    const part = join(results.parts, item.key);
    await client.jobs.download(job, { signal }).toFile(part);
    const output = `${item.stem}.${fileExtensions[job.format]}`;
    const { size: bytes } = await stat(part);
    await results.place(part, { output, key: item.key, force, signal });
    await results.journal.append({ key: item.key, output, bytes });
    const { width, height } = job.processed_size ?? { width: 0, height: 0 };
    const { cached, credits, notes } = job;
    return { kind: 'done', output, width, height, bytes, charged: Math.min(charged, credits), cached, notes };
  } catch (error) {
    if (error instanceof JobFailedError) await results.journal.append({ key: item.key, forgotten: true });
    throw error;
  }
}

/** Finds the job of an earlier run, unless it failed or expired. */
async function findPendingJob(
  { client, results, signal }: ApiProcessing,
  { key }: Item,
): Promise<SubmittedJob | undefined> {
  const { jobId } = results.journal.find(key);
  if (!jobId) return undefined;
  try {
    const job = await client.jobs.get(jobId, { signal });
    if (job.status !== 'failed' && job.status !== 'cancelled' && job.status !== 'expired') return { job, charged: 0 };
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'job_not_found') throw error;
  }
  await results.journal.append({ key, forgotten: true });
  return undefined;
}

async function submit(options: ApiProcessing, item: Item): Promise<SubmittedJob> {
  const { client, results, fields, signal } = options;
  const { key, path: source } = item;
  const { idempotencyKey: earlier } = results.journal.find(key);
  const idempotencyKey = earlier ?? randomUUID();
  if (!earlier) await results.journal.append({ key, source, idempotencyKey });
  const named = { filename: basename(source), ...fields };
  try {
    const job = await useSource(item, { results, signal }, async (path) =>
      client.process(path, named as ProcessOptions, { idempotencyKey, signal }),
    );
    await results.journal.append({ key, jobId: job.id });
    return { job, charged: job.charged };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    await results.journal.append({ key, forgotten: true });
    // The file has changed with the same size and time. Submit it as a new image.
    if (error.code === 'idempotency_mismatch' && earlier) return submit(options, item);
    throw error;
  }
}
