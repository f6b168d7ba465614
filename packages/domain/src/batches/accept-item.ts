import { AppError } from '@uprez/contracts/errors/app-error';
import { limits } from '@uprez/contracts/policy/limits';
import { coversJob } from '@uprez/contracts/policy/plans/meters';
import type { ImagePipeline } from '@uprez/contracts/schemas/image-pipeline';
import type { Tx } from '@uprez/db/database';
import {
  type BatchItemRow,
  changeBatchItems,
  lockWaitingItem,
  shareLockBatchOfItem,
} from '@uprez/db/queries/jobs/batches';
import { claimItemUpload, endItemUpload, renewItemUpload } from '@uprez/db/queries/jobs/items-to-fetch';
import type { JobRow } from '@uprez/db/queries/jobs/jobs';
import { findReservation } from '@uprez/db/queries/usage/ledger';
import { uuidv7 } from 'uuidv7';
import { originOfBatch } from '../actor.ts';
import type { Needs } from '../context.ts';
import { markUploadStored, type NewJob, queueJobs } from '../jobs/create-job.ts';
import { announceJob, wakeWorkers } from '../jobs/wake-workers.ts';
import { releaseUnits } from '../usage/release-units.ts';
import { meterOf, reserveUnit } from '../usage/reserve-units.ts';
import type { ItemWithJob } from './get-batch.ts';

export type ItemFile = Pick<NewJob, 'actor' | 'recipe' | 'plan' | 'source' | 'notes' | 'notBefore'> & {
  itemId: string;
  filename: string;
};

/**
 * Creates the job for an item when its file has arrived. If the batch is paused, the job starts when the batch is
 * resumed or expires. Returns undefined if the item is no longer waiting for a file. Throws `quota_exceeded` if the
 * image needs a different meter than the reserved one, and that meter has no quota left. Throws `service_unavailable`
 * if the upload was deleted.
 */
export async function acceptItem(ctx: Needs<'db' | 'queue' | 'publisher' | 'log'>, file: ItemFile) {
  const taken = await ctx.db.transaction().execute((tx) => createItemJob(tx, file));
  if (!taken) return undefined;
  const { job, isPaused } = taken;
  const woken = isPaused || (await wakeWorkers(ctx, [{ ...job, delayMs: 1_000 * (file.notBefore ?? 0) }]));
  await announceJob(ctx, job);
  return { job, woken };
}

type TakeFileResult = { job: JobRow; isPaused: boolean };

async function createItemJob(
  tx: Tx,
  { itemId, actor, plan, source, ...file }: ItemFile,
): Promise<TakeFileResult | undefined> {
  const batch = await shareLockBatchOfItem(tx, itemId);
  if (!batch) throw new AppError('batch_not_found');
  const { isPaused, expiresAt } = batch;
  const item = await lockWaitingItem(tx, itemId);
  if (!item) return undefined;
  await markUploadStored(tx, source);
  const origin = originOfBatch(batch);
  const isPaid = batch.isSandbox || (await isPaidByUnit(tx, item, plan));
  const id = isPaid ? item.unitId : uuidv7();
  if (!isPaid) {
    const { accountId } = actor;
    const reason = `Refunded: ${plan.engine} images are counted separately`;
    await releaseUnits(tx, { accountId, ids: [item.unitId], reason, staysTaken: true });
    // Doesn't pass the key, because the item already counts toward its monthly cap.
    await reserveUnit(tx, { id, accountId, plan });
  }
  const notBefore = isPaused ? expiresAt : file.notBefore;
  const [job] = await queueJobs(tx, [{ ...file, id, actor, origin, plan, source, notBefore }]);
  if (!job) throw new Error(`The job ${id} was not inserted.`);
  const waiting = { batchId: item.batchId, id: itemId, status: 'waiting' } as const;
  await changeBatchItems(tx, waiting, { status: 'taken', jobId: id, unitId: id });
  return { job, isPaused };
}

async function isPaidByUnit(tx: Tx, item: BatchItemRow, pipeline: ImagePipeline): Promise<boolean> {
  const reserved = await findReservation(tx, item.unitId);
  if (!reserved) throw new Error(`The item ${item.id} has no reserved unit.`);
  return coversJob(reserved.meter, meterOf(pipeline));
}

type SentFile = { sizeBytes: number; sha256?: string };

/**
 * Throws `item_has_file` if the sent file differs from the file that the item's job has. Accepts any file if the item
 * has no job.
 */
export function requireSameFile({ found }: Pick<ItemWithJob, 'found'>, { sizeBytes, sha256 }: SentFile): void {
  if (!found) return;
  const { job, source } = found;
  const known = source?.sha256 ?? job.receipt?.source.sha256 ?? undefined;
  const isOther = sizeBytes !== job.sourceBytes || (known !== undefined && sha256 !== undefined && known !== sha256);
  if (isOther) throw new AppError('item_has_file');
}

const leaseS = limits.itemUploadSeconds;

/**
 * Receives the file for a batch item while holding a lease, which keeps other requests on all gateways from receiving
 * it at the same time. The lease ends when `receive` does. After a gateway crash, it expires. Throws
 * `item_upload_running` if another request holds the lease.
 */
export async function withItemLease<T>(
  ctx: Needs<'db' | 'log'>,
  itemId: string,
  receive: () => Promise<T>,
): Promise<T> {
  const taken = await claimItemUpload(ctx.db, itemId, leaseS);
  if (!taken) throw new AppError('item_upload_running');
  const warn = (error: unknown) => ctx.log.warn({ err: error, itemId }, 'the upload of a batch item is not renewed');
  let until: Date = taken;
  let renewing: Promise<void> = Promise.resolve();
  const renew = async () => {
    until = (await renewItemUpload(ctx.db, { itemId, until, leaseS })) ?? until;
  };
  const timer = setInterval(() => {
    renewing = renew().catch(warn);
  }, leaseS * 300);
  try {
    return await receive();
  } finally {
    clearInterval(timer);
    await renewing;
    await endItemUpload(ctx.db, { itemId, until }).catch(warn);
  }
}
