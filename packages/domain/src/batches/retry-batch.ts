import { AppError } from '@uprez/contracts/errors/app-error';
import { limits } from '@uprez/contracts/policy/limits';
import type { Tx } from '@uprez/db/database';
import { lockBatchItems, restartBatchItems } from '@uprez/db/queries/jobs/batch-items';
import { extendBatch, lockBatch } from '@uprez/db/queries/jobs/batches';
import { detachSources, type JobRow } from '@uprez/db/queries/jobs/jobs';
import { keepSources } from '@uprez/db/queries/jobs/objects';
import type { Actor } from '../actor.ts';
import type { Needs } from '../context.ts';
import { announceJob } from '../jobs/announce-job.ts';
import { queueJobs } from '../jobs/queue-jobs.ts';
import { wakeWorkers } from '../jobs/wake-workers.ts';
import { largestUpload } from '../uploads/largest-upload.ts';
import { reserveUnits } from '../usage/reserve-units.ts';
import { getOwnBatch, type ItemWithJob, itemStatus, withJobs } from './get-batch.ts';
import { planJobAgain, planWait, type Restart, type Retry } from './plan-restart.ts';

/**
 * Retry the failed items of a batch with a constant number of statements; the files of some must be sent again. Throws
 * `batch_not_found`, `batch_cancelled`, `quota_exceeded`, or `key_cap_exceeded`.
 */
export async function retryBatch(
  ctx: Needs<'db' | 'queue' | 'publisher' | 'log'>,
  { actor, id, ...options }: Omit<Retry, 'batch'> & { id: string },
): Promise<{ charged: number }> {
  await getOwnBatch(ctx.db, actor, id);
  const { jobs, charged } = await ctx.db.transaction().execute(async (tx) => {
    const batch = await lockBatch(tx, id);
    if (!batch) throw new AppError('batch_not_found');
    if (batch.cancelledAt) throw new AppError('batch_cancelled');
    return restartFailed(tx, { ...options, actor, batch });
  });
  await wakeWorkers(ctx, jobs);
  for (const job of jobs) await announceJob(ctx, job);
  return { charged };
}

async function restartFailed(tx: Tx, retry: Retry): Promise<{ jobs: JobRow[]; charged: number }> {
  const { actor, batch } = retry;
  const failed = (await withJobs(tx, await lockBatchItems(tx, batch.id))).filter((entry) => canRetry(actor, entry));
  if (failed.length === 0) return { jobs: [], charged: 0 };
  const restarts = await planRestarts(tx, retry, failed);
  const units = restarts.flatMap(({ unit }) => unit ?? []);
  if (restarts.some(({ item }) => item.status === 'waiting'))
    await extendBatch(tx, batch.id, limits.batchHours * 3_600);
  if (units.length > 0 && !batch.isSandbox)
    await reserveUnits(tx, { accountId: actor.accountId, keyId: batch.apiKeyId, jobs: units });
  const jobs = await queueJobs(
    tx,
    restarts.flatMap(({ job }) => job ?? []),
  );
  await restartBatchItems(
    tx,
    batch.id,
    restarts.map(({ item }) => item),
  );
  return { jobs, charged: batch.isSandbox ? 0 : units.length };
}

/** Move the existing files of failed jobs to new jobs; everything else waits for its file. */
async function planRestarts(tx: Tx, retry: Retry, failed: readonly ItemWithJob[]): Promise<Restart[]> {
  const planned = failed.map((entry) => ({ entry, restart: planJobAgain(retry, entry) }));
  const former = planned.flatMap(({ entry, restart }) => (restart?.job && entry.found ? [entry.found.job.id] : []));
  const detached = former.length > 0 ? await detachSources(tx, former) : [];
  const kept = detached.length > 0 ? await keepSources(tx, detached) : new Set<string>();
  return planned.map(({ entry, restart }) =>
    restart && (!restart.job || kept.has(entry.found?.job.id ?? '')) ? restart : planWait(retry, entry),
  );
}

/** A file that is larger than the plan's limit would be refused again. */
const canRetry = (actor: Actor, entry: ItemWithJob) =>
  itemStatus(entry) === 'failed' && (entry.item.sizeBytes ?? 0) <= largestUpload(actor);
