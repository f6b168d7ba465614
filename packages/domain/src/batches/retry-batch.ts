import { AppError } from '@uprez/contracts/errors/app-error';
import type { RequestedEngine } from '@uprez/contracts/policy/images/engines';
import { limits } from '@uprez/contracts/policy/limits';
import type { Tx } from '@uprez/db/database';
import {
  type BatchItemRow,
  type BatchRow,
  extendBatch,
  findBatchOfJob,
  listBatchItems,
  lockBatch,
  lockBatchItems,
  lockPausedJobs,
  restartBatchItems,
} from '@uprez/db/queries/jobs/batches';
import { detachSources, type JobRow } from '@uprez/db/queries/jobs/jobs';
import { clearSourceExpiry, type ObjectRow } from '@uprez/db/queries/jobs/objects';
import { uuidv7 } from 'uuidv7';
import { type Actor, originOfBatch } from '../actor.ts';
import type { Needs } from '../context.ts';
import { countDailyImages } from '../count-daily.ts';
import { type FreeWorkContext, isFreeWork, spendRepeatedWork } from '../jobs/admission.ts';
import { type JobToQueue, queueJobs } from '../jobs/create-job.ts';
import { attachJobFiles, getOwnJob } from '../jobs/get-job.ts';
import { type Operator, prepareRequest } from '../jobs/pipeline/make-job-pipeline.ts';
import { announceJob, wakeWorkers } from '../jobs/wake-workers.ts';
import { reportLimitOf } from '../report-limit.ts';
import { maxUploadBytesOf } from '../uploads/begin-upload.ts';
import { meterOf, type Reservation, reserveUnit, reserveUnits } from '../usage/reserve-units.ts';
import { recordRejectedItems } from './create-batch.ts';
import { attachJobs, getOwnBatch, guessMeter, type ItemWithJob, itemRecipeOf, itemStatusOf } from './get-batch.ts';

/**
 * Retries the failed items of a batch. The number of SQL statements in the transaction doesn't depend on the number of
 * items. Files that are no longer stored must be sent again. Throws `batch_not_found`, `batch_cancelled`,
 * `rate_limited`, `quota_exceeded`, or `key_cap_exceeded`.
 */
export async function retryBatch(
  ctx: Needs<'db' | 'queue' | 'publisher' | 'log'> & FreeWorkContext,
  { actor, id, ...options }: Omit<Retry, 'batch'> & { id: string },
): Promise<{ jobs: JobRow[]; charged: number }> {
  await getOwnBatch(ctx.db, actor, id);
  if (isFreeWork(actor)) {
    const failed = chooseFailedItems(await attachJobs(ctx.db, await listBatchItems(ctx.db, id)), { ...options, actor });
    const jobs = failed.flatMap(({ found }) => (found?.source ? found.job : []));
    await spendRepeatedWork(ctx, { actor, jobs });
  }
  const { jobs, charged } = await ctx.db.transaction().execute(async (tx) => {
    const batch = await lockBatch(tx, id);
    if (!batch) throw new AppError('batch_not_found');
    if (batch.cancelledAt) throw new AppError('batch_cancelled');
    return restartFailedItems(tx, { ...options, actor, batch });
  });
  for (const job of jobs) await ctx.freeWork.keepCaller(actor, job.id);
  await wakeWorkers(ctx, jobs);
  for (const job of jobs) await announceJob(ctx, job);
  return { jobs, charged };
}

async function restartFailedItems(tx: Tx, retry: Retry): Promise<{ jobs: JobRow[]; charged: number }> {
  const { actor, batch, jobId } = retry;
  const failed = chooseFailedItems(await attachJobs(tx, await lockBatchItems(tx, batch.id)), retry);
  if (failed.length === 0) return { jobs: [], charged: 0 };
  // Locks paused jobs before `prepareRestarts` locks the objects of failed jobs, to avoid deadlocks.
  const paused = await lockPausedJobs(tx, batch);
  const restarts = await prepareRestarts(tx, retry, failed);
  if (jobId !== undefined) requireRestartableJob(restarts);
  const units = restarts.flatMap(({ unit }) => unit ?? []);
  const isExtended = restarts.some(({ item }) => item.status === 'waiting');
  const endsAt = isExtended
    ? await extendBatch(tx, batch.id, { lifeS: limits.batchHours * 3_600, paused })
    : batch.expiresAt;
  await countDailyImages(tx, actor, { images: restarts.length, creation: restarts.length > 1 ? 'retry' : 'one' });
  if (units.length > 0 && !batch.isSandbox)
    await reserveUnits(tx, { accountId: actor.accountId, keyId: batch.apiKeyId, jobs: units });
  const notBefore = batch.isPaused ? endsAt : undefined;
  const toQueue = restarts.flatMap(({ job }) => (job ? { ...job, notBefore } : []));
  const jobs = await queueJobs(tx, toQueue);
  const items = restarts.map(({ item }) => item);
  await restartBatchItems(tx, batch.id, items);
  const rejected = restarts.filter(({ unit }) => !unit).map(({ item }) => item);
  await recordRejectedItems(tx, batch, rejected);
  return { jobs, charged: batch.isSandbox ? 0 : units.length };
}

/**
 * Moves the stored files of failed jobs to new jobs. Items without a stored file wait for their file again. Items with
 * a rejected pipeline stay failed.
 */
async function prepareRestarts(tx: Tx, retry: Retry, failed: readonly ItemWithJob[]): Promise<Restart[]> {
  const prepared = failed.map((entry) => ({ entry, restart: prepareJob(retry, entry) }));
  const former = prepared.flatMap(({ entry, restart }) => (restart?.job && entry.found ? [entry.found.job.id] : []));
  const detached = former.length > 0 ? await detachSources(tx, former) : [];
  const kept = detached.length > 0 ? await clearSourceExpiry(tx, detached) : new Set<string>();
  return prepared.map(({ entry, restart }) =>
    restart && (!restart.job || kept.has(entry.found?.job.id ?? '')) ? restart : prepareWait(retry, entry),
  );
}

/**
 * Throws if the only item can't be retried from its stored original: the error of its rejected pipeline, or
 * `result_expired`.
 */
function requireRestartableJob([restart]: readonly Restart[]): void {
  const code = restart?.item.errorCode;
  const detail = restart?.item.errorDetail;
  if (code) throw new AppError(code, detail ? { detail } : {});
  if (!restart?.job) throw makeOriginalDeletedError();
}

/** Skips files above the plan's size limit, because they would be rejected again. */
const chooseFailedItems = (entries: readonly ItemWithJob[], { actor, jobId }: Pick<Retry, 'actor' | 'jobId'>) =>
  entries.filter(
    (entry) =>
      (jobId === undefined || entry.item.jobId === jobId) &&
      itemStatusOf(entry) === 'failed' &&
      (entry.item.sizeBytes ?? 0) <= maxUploadBytesOf(actor),
  );

/** `engine` replaces the batch's engine. `jobId` limits the retry to one failed job, whose original must be stored. */
type Retry = {
  actor: Actor;
  batch: BatchRow;
  engine?: RequestedEngine | undefined;
  jobId?: string | undefined;
  operator: Operator;
};

type Restart = { item: BatchItemRow; unit?: Reservation; job?: JobToQueue };

const reason = 'Reserved to retry one image of a batch';
/** Clears the default limit name of `result_expired`, because that limit is about results. */
const makeOriginalDeletedError = () =>
  new AppError('result_expired', {
    detail: 'The original of this image was deleted. Upload it again.',
    limitName: null,
  });

function prepareWait({ batch, operator, ...retry }: Retry, { item }: ItemWithJob): Restart {
  const engine = retry.engine ?? item.engine;
  const id = uuidv7();
  const meter = guessMeter(itemRecipeOf(batch, { engine }), operator);
  const state = { status: 'waiting', unitId: id, jobId: null, engine, errorCode: null, errorDetail: null } as const;
  return { item: { ...item, ...state }, unit: { id, meter, reason } };
}

/**
 * Prepares a new job that reuses the file of a failed job. Returns undefined if the file isn't stored. If the pipeline
 * is rejected, returns a failed item without a unit or job.
 */
function prepareJob(retry: Retry, { item, found }: ItemWithJob): Restart | undefined {
  const inspection = found?.source?.inspection;
  if (!found?.source || !inspection) return undefined;
  const { actor, batch, operator } = retry;
  const engine = retry.engine ?? item.engine;
  const id = uuidv7();
  try {
    const recipe = itemRecipeOf(batch, { engine });
    const { filename, sourceBytes: sizeBytes } = found.job;
    const request = { actor, recipe, inspection, operator, keepsAlpha: batch.keepsAlpha, sourceBytes: sizeBytes };
    const prepared = prepareRequest(request);
    const source = { id: found.source.id, sizeBytes, inspection };
    const state = { status: 'taken', unitId: id, jobId: id, engine, errorCode: null, errorDetail: null } as const;
    return {
      item: { ...item, ...state },
      unit: { id, meter: meterOf(prepared.plan), reason },
      job: { id, actor, origin: originOfBatch(batch), ...prepared, filename, source },
    };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    reportLimitOf(error);
    return { item: { ...item, status: 'failed', errorCode: error.code, errorDetail: error.message } };
  }
}

type JobRetry = { actor: Actor; id: string; operator: Operator };

/**
 * Retries a failed job in a new job that uses the stored original and the same options. The new job is charged like any
 * other. If the failed job is part of a batch, the new job replaces it there, unless the batch was canceled. Throws
 * `job_not_found`, `result_expired` if the original was deleted, or any error that a new job can cause.
 */
export async function retryOwnJob(
  ctx: Needs<'db' | 'queue' | 'publisher' | 'log'> & FreeWorkContext,
  { actor, id, operator }: JobRetry,
): Promise<{ job: JobRow; charged: number }> {
  const former = await getOwnJob(ctx.db, actor, id);
  const [{ source } = {}] = former.status === 'failed' ? await attachJobFiles(ctx.db, [former]) : [];
  if (!source?.inspection) throw makeOriginalDeletedError();
  const batch = await findBatchOfJob(ctx.db, id);
  if (batch && !batch.cancelledAt) {
    const { jobs, charged } = await retryBatch(ctx, { actor, id: batch.id, jobId: id, operator });
    const [job] = jobs;
    if (!job) throw makeOriginalDeletedError();
    return { job, charged };
  }
  await spendRepeatedWork(ctx, { actor, jobs: [former] });
  const job = await ctx.db.transaction().execute((tx) => restart(tx, { actor, operator, former, source }));
  await ctx.freeWork.keepCaller(actor, job.id);
  await wakeWorkers(ctx, [job]);
  await announceJob(ctx, job);
  return { job, charged: 1 };
}

type RetriedJob = Omit<JobRetry, 'id'> & { former: JobRow; source: ObjectRow };

async function restart(tx: Tx, { actor, operator, former, source }: RetriedJob): Promise<JobRow> {
  const { inspection } = source;
  const detached = await detachSources(tx, [former.id]);
  const kept = await clearSourceExpiry(tx, detached);
  if (!inspection || !kept.has(former.id)) throw makeOriginalDeletedError();
  const { recipe, filename, mayRepeat, sourceBytes: sizeBytes } = former;
  const prepared = prepareRequest({ actor, recipe, inspection, operator });
  const id = uuidv7();
  await countDailyImages(tx, actor, { images: 1, creation: 'one' });
  await reserveUnit(tx, { id, accountId: actor.accountId, plan: prepared.plan });
  const [job] = await queueJobs(tx, [
    { id, actor, ...prepared, filename, mayRepeat, source: { id: source.id, sizeBytes, inspection } },
  ]);
  if (!job) throw new Error(`The job ${id} was not inserted.`);
  return job;
}
