import { AppError } from '@uprez/contracts/errors/app-error';
import { limits } from '@uprez/contracts/policy/limits';
import type { Tx } from '@uprez/db/database';
import { listBatchItems } from '@uprez/db/queries/jobs/batch-items';
import { extendBatch, holdBatch } from '@uprez/db/queries/jobs/batches';
import type { JobRow } from '@uprez/db/queries/jobs/jobs';
import type { Actor } from '../actor.ts';
import type { Needs } from '../context.ts';
import { announceJob } from '../jobs/announce-job.ts';
import { wakeWorkers } from '../jobs/wake-workers.ts';
import { largestUpload } from '../uploads/largest-upload.ts';
import { reserveUnits } from '../usage/reserve-units.ts';
import { getOwnBatch, type ItemWithJob, itemStatus, withJobs } from './get-batch.ts';
import { type Again, type Restarted, restartItem } from './restart-item.ts';

/**
 * Try the failed items of a batch again, with another engine if one is given: at once where the file is still here, else
 * the item waits for it anew. Units are reserved for all of them or for none: `charged`. Throws `batch_not_found`,
 * `batch_cancelled`, `quota_exceeded`, `key_cap_exceeded`.
 */
export async function retryBatch(
  ctx: Needs<'db' | 'queue' | 'publisher' | 'log'>,
  { actor, ...again }: { actor: Actor } & (Omit<Again, 'actor' | 'batch'> & { id: string }),
): Promise<{ charged: number }> {
  await getOwnBatch(ctx.db, actor, again.id);
  const { jobs, charged } = await ctx.db.transaction().execute(async (tx) => {
    const batch = await holdBatch(tx, again.id);
    if (!batch) throw new AppError('batch_not_found');
    if (batch.cancelledAt) throw new AppError('batch_cancelled');
    return restartFailed(tx, { ...again, actor, batch });
  });
  await wakeWorkers(ctx, jobs);
  for (const job of jobs) await announceJob(ctx, job);
  return { charged };
}

async function restartFailed(tx: Tx, again: Again): Promise<{ jobs: JobRow[]; charged: number }> {
  const { actor, batch } = again;
  const restarted: Restarted[] = [];
  for (const entry of await withJobs(tx, await listBatchItems(tx, batch.id))) {
    const one = mayComeAgain(actor, entry) ? await restartItem(tx, again, entry) : undefined;
    if (one) restarted.push(one);
  }
  if (restarted.some(({ job }) => !job)) await extendBatch(tx, batch.id, limits.batchHours * 3_600);
  const units = restarted.map(({ unit }) => unit);
  if (units.length > 0 && !batch.isSandbox)
    await reserveUnits(tx, { accountId: actor.accountId, keyId: batch.apiKeyId, jobs: units });
  return { jobs: restarted.flatMap(({ job }) => job ?? []), charged: batch.isSandbox ? 0 : units.length };
}

/** A file that was announced larger than the plan takes will be so again. */
const mayComeAgain = (actor: Actor, entry: ItemWithJob) =>
  itemStatus(entry) === 'failed' && (entry.item.sizeBytes ?? 0) <= largestUpload(actor);
