import { Readable } from 'node:stream';
import type { Receipt } from '@uprez/contracts/schemas/jobs/receipt';
import { findJob, type JobRow } from '@uprez/db/queries/jobs/jobs';
import type { Attempt } from '@uprez/domain/jobs/attempts/claim-next-job';
import { beginResult, completeJob, type Delivery, type ResultSlots } from '@uprez/domain/jobs/attempts/complete-job';
import type { TestContext } from './open-test-context.ts';

type Verbs = Pick<TestContext, 'db' | 'storage' | 'publisher'>;

/**
 * Stores both files of an attempt, as a worker does before it completes the job. `job`: required if the job's row has
 * been deleted.
 */
export async function writeResult(
  ctx: Verbs,
  { jobId, attempt, job }: Attempt & { job?: JobRow },
  slots: ResultSlots,
): Promise<Delivery> {
  const row = job ?? (await findJob(ctx.db, jobId));
  if (!row) throw new Error(`no job ${jobId}`);
  const put = (key: string) => ctx.storage.put(key, Readable.from([Buffer.from(`bytes of ${key}`)]));
  const [result, thumbnail] = await Promise.all([put(slots.result.key), put(slots.thumbnail.key)]);
  return {
    job: { ...row, attempt },
    receipt: makeReceipt(),
    result: { ...result, id: slots.result.id },
    thumbnail: { ...thumbnail, id: slots.thumbnail.id },
  };
}

/** Completes an attempt, as a worker does. Returns undefined if the attempt has lost its claim to the job. */
export async function deliverJob(ctx: Verbs, job: Pick<JobRow, 'id' | 'attempt'>): Promise<JobRow | undefined> {
  const attempt = { jobId: job.id, attempt: job.attempt };
  const slots = await beginResult(ctx, attempt);
  const completed = slots && (await completeJob(ctx, await writeResult(ctx, attempt, slots)));
  return completed && findJob(ctx.db, completed.id);
}

const sha256 = '0'.repeat(64);

/** Returns the receipt for a 16 x 16 PNG created by the `standard` engine, with `changes` applied. */
export const makeReceipt = (changes: Partial<Receipt> = {}): Receipt => ({
  engine: 'standard',
  variant: null,
  variantReason: null,
  model: null,
  device: 'cpu',
  versions: {},
  source: { width: 8, height: 8, sizeBytes: 9, sha256 },
  width: 16,
  height: 16,
  format: 'png',
  quality: null,
  bitDepth: 8,
  frames: 1,
  sizeBytes: 8,
  sha256,
  passes: 0,
  tiles: 0,
  tile: null,
  strips: 0,
  bands: 0,
  strip: null,
  stagesMs: { decode: 1, encode: 1 },
  colorDifference: { mean: 0, worst: 0 },
  fidelity: { score: 99.2, structure: 0.992, color: 0 },
  retries: [],
  notes: [],
  thumbhash: '',
  ...changes,
});
