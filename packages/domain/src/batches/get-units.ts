import { sumUnits } from '@uprez/db/queries/jobs/batch-items';
import type { Needs } from '../context.ts';
import type { ItemWithJob } from './get-batch.ts';

export type BatchUnits = Map<string, number>;

/** What each item costs as of now: reserved or spent, by item. */
export async function getUnits(ctx: Needs<'db'>, items: readonly ItemWithJob[]): Promise<BatchUnits> {
  const sums = await sumUnits(
    ctx.db,
    items.map(({ item }) => item.unitId),
  );
  return new Map(items.map(({ item }) => [item.id, sums.get(item.unitId) ?? 0]));
}
