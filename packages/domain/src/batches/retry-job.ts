import type { Tx } from '@uprez/db/database';
import { findBatchOfJob } from '@uprez/db/queries/jobs/batches';
import { detachSources, type JobRow } from '@uprez/db/queries/jobs/jobs';
import { keepSources, type ObjectRow } from '@uprez/db/queries/jobs/objects';
import { uuidv7 } from 'uuidv7';
import type { Actor } from '../actor.ts';
import type { Needs } from '../context.ts';
import { countDailyImages } from '../count-daily.ts';
import { type FreeWorkContext, spendRepeatedWork } from '../jobs/admission/free-work.ts';
import { getOwnJob, withJobFiles } from '../jobs/get-job.ts';
import { type Operator, prepareRequest } from '../jobs/pipeline/make-job-pipeline.ts';
import { queueJobs } from '../jobs/queue-jobs.ts';
import { announceJob, wakeWorkers } from '../jobs/wake-workers.ts';
import { reserveUnit } from '../usage/reserve-units.ts';
import { originalDeleted, retryBatch } from './retry-batch.ts';

export type JobRetry = { actor: Actor; id: string; operator: Operator };

/**
 * Processes the stored original of a failed job again with the same options, in a new job that is charged like any
 * other. In a batch, the new job replaces the failed one. Throws `job_not_found`, `result_expired` if the original was
 * deleted, or the errors of a new job.
 */
export async function retryJob(
  ctx: Needs<'db' | 'queue' | 'publisher' | 'log'> & FreeWorkContext,
  { actor, id, operator }: JobRetry,
): Promise<{ job: JobRow; charged: number }> {
  const former = await getOwnJob(ctx.db, actor, id);
  const [{ source } = {}] = former.status === 'failed' ? await withJobFiles(ctx.db, [former]) : [];
  if (!source?.inspection) throw originalDeleted();
  const batch = await findBatchOfJob(ctx.db, id);
  if (batch && !batch.cancelledAt) {
    const { jobs, charged } = await retryBatch(ctx, { actor, id: batch.id, jobId: id, operator });
    const [job] = jobs;
    if (!job) throw originalDeleted();
    return { job, charged };
  }
  await spendRepeatedWork(ctx, { actor, jobs: [former] });
  const job = await ctx.db.transaction().execute((tx) => restart(tx, { actor, operator, former, source }));
  await ctx.freeWork.keepCaller(actor, job.id);
  await wakeWorkers(ctx, [job]);
  await announceJob(ctx, job);
  return { job, charged: 1 };
}

type Restart = Omit<JobRetry, 'id'> & { former: JobRow; source: ObjectRow };

async function restart(tx: Tx, { actor, operator, former, source }: Restart): Promise<JobRow> {
  const { inspection } = source;
  const detached = await detachSources(tx, [former.id]);
  const kept = await keepSources(tx, detached);
  if (!inspection || !kept.has(former.id)) throw originalDeleted();
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
