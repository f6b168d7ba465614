import { AppError } from '@uprez/contracts/errors/app-error';
import { isAiEngine } from '@uprez/contracts/policy/images/engines';
import { isFinalStatus } from '@uprez/contracts/policy/job-status';
import { limits } from '@uprez/contracts/policy/limits';
import type { JobMeter } from '@uprez/contracts/policy/plans/meters';
import type { Recipe } from '@uprez/contracts/recipe/recipe';
import type { BatchItemStatus } from '@uprez/contracts/schemas/jobs/batch';
import type { DbOrTx } from '@uprez/db/database';
import {
  type BatchItemRow,
  type BatchRow,
  countItems,
  findBatch,
  findBatchItem,
  listBatchItems,
  listBatches as listRows,
  sumUnits,
} from '@uprez/db/queries/jobs/batches';
import { findJobs } from '@uprez/db/queries/jobs/jobs';
import { type FoundDelivery, findResultDeliveries } from '@uprez/db/queries/jobs/result-deliveries';
import { type Actor, getByUuid, isSandbox, isUuid } from '../actor.ts';
import type { Needs } from '../context.ts';
import { attachJobFiles, type JobWithSource } from '../jobs/get-job.ts';
import { type Operator, replaceEngine } from '../jobs/pipeline/make-job-pipeline.ts';

/** An item of a batch. `found` is the job that processes its file. */
export type ItemWithJob = {
  item: BatchItemRow;
  found?: JobWithSource | undefined;
  delivery?: FoundDelivery | undefined;
};
export type BatchWithItems = { batch: BatchRow; items: ItemWithJob[] };

export const itemStatusOf = ({ item, found }: ItemWithJob): BatchItemStatus =>
  item.status === 'taken' ? (found?.job.status ?? 'expired') : item.status;

export const isSettled = (entry: ItemWithJob): boolean => isFinalItem(itemStatusOf(entry));

export const isFinalItem = (status: BatchItemStatus): boolean => status !== 'waiting' && isFinalStatus(status);

/** Throws the same `batch_not_found` for a missing batch, another account's batch, and an ID that isn't a UUID. */
export async function getOwnBatch(db: DbOrTx, actor: Pick<Actor, 'accountId' | 'key'>, id: string): Promise<BatchRow> {
  const batch = isUuid(id) ? await findBatch(db, id) : undefined;
  if (batch?.accountId !== actor.accountId || batch.isSandbox !== isSandbox(actor))
    throw new AppError('batch_not_found');
  return batch;
}

/** Returns a batch with its items in their original order. Throws `batch_not_found`. */
export async function getBatch(ctx: Needs<'db'>, { actor, id }: { actor: Actor; id: string }): Promise<BatchWithItems> {
  const batch = await getOwnBatch(ctx.db, actor, id);
  const entries = await attachJobs(ctx.db, await listBatchItems(ctx.db, id));
  const deliveries = await findResultDeliveries(
    ctx.db,
    entries.map(({ item }) => item.id),
  );
  return { batch, items: entries.map((entry) => ({ ...entry, delivery: deliveries.get(entry.item.id) })) };
}

export type OwnItem = ItemWithJob & { batch: BatchRow };

/** Returns one item of a batch. Throws `batch_not_found`. */
export async function getBatchItem(ctx: Needs<'db'>, { actor, ...ids }: { actor: Actor; id: string; itemId: string }) {
  const batch = await getOwnBatch(ctx.db, actor, ids.id);
  const item = await getByUuid(ids.itemId, () => findBatchItem(ctx.db, ids.id, ids.itemId), 'batch_not_found');
  const [found] = await attachJobs(ctx.db, [item]);
  const delivery = (await findResultDeliveries(ctx.db, [item.id])).get(item.id);
  return { batch, ...(found ?? { item }), delivery };
}

export async function attachJobs(db: DbOrTx, items: readonly BatchItemRow[]): Promise<ItemWithJob[]> {
  const ids = items.flatMap(({ jobId }) => jobId ?? []);
  const jobs = await findJobs(db, ids);
  const found = new Map((await attachJobFiles(db, [...jobs.values()])).map((one) => [one.job.id, one]));
  return items.map((item) => ({ item, found: item.jobId === null ? undefined : found.get(item.jobId) }));
}

export type BatchUnits = Map<string, number>;

/** Returns how many units each item has reserved or spent, by item ID. */
export async function getUnits(ctx: Needs<'db'>, items: readonly ItemWithJob[]): Promise<BatchUnits> {
  const ids = items.map(({ item }) => item.unitId);
  const sums = await sumUnits(ctx.db, ids);
  return new Map(items.map(({ item }) => [item.id, sums.get(item.unitId) ?? 0]));
}

export type BatchFilter = { limit?: number | undefined; cursor?: string | undefined };
/** A batch and the number of its items in each status. `progress` adds up the progress of their jobs, in percent. */
export type BatchSummary = {
  batch: BatchRow;
  counts: readonly { status: BatchItemStatus; count: number; progress: number }[];
};

/** Returns one page of the batches that an actor may read, newest first. */
export async function listBatches(
  ctx: Needs<'db'>,
  { actor, limit = limits.pageRows, cursor: before }: { actor: Actor } & BatchFilter,
): Promise<{ batches: BatchSummary[]; nextCursor: string | null }> {
  const { accountId } = actor;
  const rows = await listRows(ctx.db, { accountId, isSandbox: isSandbox(actor), before, limit: limit + 1 });
  const page = rows.slice(0, limit);
  const ids = page.map(({ id }) => id);
  const counts = await countItems(ctx.db, ids);
  return {
    batches: page.map((batch) => ({ batch, counts: counts.filter(({ batchId }) => batchId === batch.id) })),
    nextCursor: rows.length > limit ? (ids.at(-1) ?? null) : null,
  };
}

/**
 * Returns the recipe for an item. If the item was retried with another engine, that engine replaces the engine of the
 * batch.
 */
export const itemRecipeOf = (batch: Pick<BatchRow, 'recipe'>, item: Pick<BatchItemRow, 'engine'>): Recipe =>
  item.engine === null ? batch.recipe : replaceEngine(batch.recipe, item.engine);

/**
 * Guesses which meter an image will use, before its file arrives. With the `auto` engine, assumes upscaling unless the
 * scale factor is 1 or less.
 */
export function guessMeter({ engine, scaleFactor }: Recipe, { autoEngine }: Pick<Operator, 'autoEngine'>): JobMeter {
  const auto = scaleFactor !== undefined && scaleFactor <= 1 ? 'standard' : autoEngine;
  return isAiEngine(engine === 'auto' ? auto : engine) ? 'ai' : 'standard';
}
