import { AppError } from '@uprez/contracts/errors/app-error';
import type { Recipe } from '@uprez/contracts/recipe/recipe';
import type { ImagePipeline, Inspection } from '@uprez/contracts/schemas/image-pipeline';
import type { Tx } from '@uprez/db/database';
import { findJob, insertJobs, type JobRow, selectTier } from '@uprez/db/queries/jobs/jobs';
import { attachSources, markObjectStored, type StoredFile } from '@uprez/db/queries/jobs/objects';
import { catchUpVirtualTime } from '@uprez/db/queries/jobs/virtual-times';
import { afterSeconds, now } from '@uprez/db/times';
import { currentSpan } from '@uprez/tracing/spans';
import { uuidv7 } from 'uuidv7';
import { type Actor, isSandbox, type Origin, originOf } from '../actor.ts';
import type { Needs } from '../context.ts';
import { countDailyImages } from '../count-daily.ts';
import { reserveUnit } from '../usage/reserve-units.ts';
import { joinEarlierCall } from './join-earlier-call.ts';
import { announceJob, wakeWorkers } from './wake-workers.ts';

export type NewJob = {
  actor: Actor;
  recipe: Recipe;
  plan: ImagePipeline;
  filename: string;
  source: StoredFile & { inspection: Inspection };
  idempotencyKey?: string | undefined;
  /** Purpose of the image, shown in the ledger. */
  use?: string | undefined;
  /** Delay before the job may start, in seconds. */
  notBefore?: number | undefined;
} & Pick<JobToQueue, 'notes' | 'webhookUrl' | 'mayRepeat'>;

/**
 * `joined`: whether the idempotency key was already used, in which case no job was created. `woken`: whether the
 * wake-up message was enqueued in Redis.
 */
export type CreatedJob = InsertedJob & { woken: boolean };
type InsertedJob = { job: JobRow; joined: boolean; charged: number };

/**
 * Creates a job and reserves its unit. Throws `quota_exceeded`, `key_cap_exceeded`, `rate_limited`, or
 * `idempotency_mismatch`.
 */
export async function createJob(ctx: Needs<'db' | 'queue' | 'publisher' | 'log'>, input: NewJob): Promise<CreatedJob> {
  const created = await ctx.db.transaction().execute((tx) => insertWithKey(tx, input));
  if (created.joined) return { ...created, woken: true };
  const woken = await wakeWorkers(ctx, [{ ...created.job, delayMs: 1_000 * (input.notBefore ?? 0) }]);
  await announceJob(ctx, created.job);
  return { ...created, woken };
}

async function insertWithKey(tx: Tx, input: NewJob): Promise<InsertedJob> {
  const { actor, source, plan } = input;
  const id = uuidv7();
  const earlier = await findEarlierJob(tx, id, input);
  if (earlier) return { job: earlier, joined: true, charged: 0 };
  await markUploadStored(tx, source);
  await countDailyImages(tx, actor, { images: 1, creation: 'one' });
  const charged = isSandbox(actor) ? 0 : 1;
  if (charged) await reserveUnit(tx, { id, accountId: actor.accountId, plan, keyId: actor.key?.id, use: input.use });
  const [job] = await queueJobs(tx, [{ ...input, id }]);
  if (!job) throw new Error(`The job ${id} was not inserted.`);
  return { job, joined: false, charged };
}

async function findEarlierJob(tx: Tx, jobId: string, { actor, idempotencyKey, ...job }: NewJob) {
  const input = [job.recipe, job.source.sha256, job.webhookUrl];
  const earlier = await joinEarlierCall(tx, { actor, idempotencyKey, subject: { jobId }, input });
  return earlier?.jobId ? findJob(tx, earlier.jobId) : undefined;
}

/** Marks an upload as stored. Throws `service_unavailable` if it was deleted in the meantime. */
export async function markUploadStored(tx: Tx, upload: StoredFile): Promise<void> {
  if (await markObjectStored(tx, upload)) return;
  throw new AppError('service_unavailable', { cause: new Error(`the upload ${upload.id} was deleted`) });
}

export type JobToQueue = {
  id: string;
  actor: Actor;
  /** Default: the actor's origin. */
  origin?: Origin | undefined;
  recipe: Recipe;
  plan: ImagePipeline;
  notes?: readonly string[] | undefined;
  filename: string;
  source: { id: string; sizeBytes: number; inspection: Inspection };
  /** URL that is notified when the job ends, in addition to the account's endpoints. */
  webhookUrl?: string | undefined;
  /** Start time, or delay in seconds from now. */
  notBefore?: Date | number | undefined;
  /** Whether a stored result of the same image and options may be reused. Default: true. */
  mayRepeat?: boolean | null | undefined;
  /** ID of the failed job that an administrator retries with this job. */
  retryOf?: string | undefined;
};

/**
 * Inserts queued jobs for one account and attaches their sources. Reserve the units first, because this function takes
 * the last lock of the transaction. Throws `service_unavailable` if a source was deleted in the meantime.
 */
export async function queueJobs(tx: Tx, jobs: readonly JobToQueue[]): Promise<JobRow[]> {
  const [first] = jobs;
  if (!first) return [];
  const queued = await insertJobs(tx, jobs.map(toRow));
  const sources = jobs.map(({ id, source }) => ({ id: source.id, jobId: id, inspection: source.inspection }));
  const [missing] = await attachSources(tx, sources);
  if (missing) throw new AppError('service_unavailable', { cause: new Error(`the source ${missing} was deleted`) });
  await catchUpVirtualTime(tx, first.actor.accountId);
  return queued;
}

const toRow = ({ id, actor, origin = originOf(actor), notBefore, ...job }: JobToQueue) => ({
  id,
  accountId: actor.accountId,
  ...origin,
  status: 'queued' as const,
  accountTier: selectTier(actor.accountId),
  recipe: JSON.stringify(job.recipe),
  plan: JSON.stringify(job.plan),
  estimatedSeconds: job.plan.estimate.seconds,
  notes: [...(job.notes ?? [])],
  filename: job.filename,
  sourceBytes: job.source.sizeBytes,
  sourceId: job.source.id,
  webhookUrl: job.webhookUrl ?? null,
  retryOf: job.retryOf ?? null,
  mayRepeat: job.mayRepeat === undefined ? true : job.mayRepeat,
  traceparent: currentSpan()?.traceparent ?? null,
  notBefore: typeof notBefore === 'number' ? afterSeconds(notBefore) : (notBefore ?? now),
});
