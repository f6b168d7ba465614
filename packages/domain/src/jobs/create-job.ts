import { createHash } from 'node:crypto';
import { AppError } from '@uprez/contracts/app-error';
import type { ImagePlan, Inspection } from '@uprez/contracts/image-plan';
import { limits } from '@uprez/contracts/limits';
import type { Recipe } from '@uprez/contracts/recipe';
import type { Tx } from '@uprez/db/database';
import { takeIdempotencyKey } from '@uprez/db/queries/idempotency-keys';
import { findJob, type JobRow } from '@uprez/db/queries/jobs';
import { markStored } from '@uprez/db/queries/objects';
import { uuidv7 } from 'uuidv7';
import type { Actor } from '../actor.ts';
import type { Needs } from '../context.ts';
import { reserveUnit } from '../usage/reserve-unit.ts';
import { announceJob } from './announce-job.ts';
import { queueJob } from './queue-job.ts';
import { wakeWorkers } from './wake-workers.ts';

export type NewJob = {
  actor: Actor;
  recipe: Recipe;
  plan: ImagePlan;
  filename: string;
  source: { id: string; sizeBytes: number; sha256: string; inspection: Inspection };
  idempotencyKey?: string | undefined;
};

/** `joined`: the key stood for this job already, so the source just uploaded is not needed. `woken`: Redis took it. */
export type CreatedJob = { job: JobRow; joined: boolean; woken: boolean };

/**
 * Create a job in one transaction: its row, its unit reserved, its source attached, its idempotency key. Throws
 * `idempotency_mismatch` when the key stands for another picture or other settings, `service_unavailable` when the
 * upload took so long that a sweep gave it up.
 */
export async function createJob(ctx: Needs<'db' | 'queue' | 'publisher' | 'log'>, input: NewJob): Promise<CreatedJob> {
  const created = await ctx.db.transaction().execute((tx) => insertWithKey(tx, input));
  if (created.joined) return { ...created, woken: true };
  const woken = await wakeWorkers(ctx, [created.job]);
  await announceJob(ctx, created.job);
  return { ...created, woken };
}

async function insertWithKey(tx: Tx, input: NewJob): Promise<{ job: JobRow; joined: boolean }> {
  const { actor, source, plan } = input;
  const id = uuidv7();
  const earlier = await joinEarlier(tx, id, input);
  if (earlier) return { job: earlier, joined: true };
  const stored = await markStored(tx, { id: source.id, size: source.sizeBytes, sha256: source.sha256 });
  if (!stored) throw new AppError('service_unavailable', { cause: new Error(`the upload ${source.id} was given up`) });
  const job = await queueJob(tx, { id, ...input });
  await reserveUnit(tx, { id, accountId: actor.accountId, plan });
  return { job, joined: false };
}

/** The job that the key stands for, if any. */
async function joinEarlier(tx: Tx, jobId: string, input: NewJob): Promise<JobRow | undefined> {
  if (!input.idempotencyKey) return undefined;
  const fingerprint = createHash('sha256')
    .update(JSON.stringify([input.recipe, input.source.sha256]))
    .digest('hex');
  const lifeS = limits.idempotencyHours * 3_600;
  const earlier = await takeIdempotencyKey(tx, {
    accountId: input.actor.accountId,
    key: input.idempotencyKey,
    fingerprint,
    subject: { jobId },
    lifeS,
  });
  if (!earlier) return undefined;
  if (earlier.fingerprint !== fingerprint || earlier.job_id === null) throw new AppError('idempotency_mismatch');
  return findJob(tx, earlier.job_id);
}
