import { limits } from '@uprez/contracts/policy/limits';
import type { BatchItemStatus } from '@uprez/contracts/schemas/batch';
import { countItems } from '@uprez/db/queries/jobs/batch-items';
import { type BatchRow, listBatches as listRows } from '@uprez/db/queries/jobs/batches';
import { type Actor, isSandbox } from '../actor.ts';
import type { Needs } from '../context.ts';

export type BatchFilter = { limit?: number | undefined; cursor?: string | undefined };
/** A batch, and its items by status. `progress`: the sum over their jobs, percent. */
export type BatchSummary = {
  batch: BatchRow;
  counts: readonly { status: BatchItemStatus; count: number; progress: number }[];
};

/** One page of the batches that an actor may read, newest first. */
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
