import type { Batch } from '@uprez/contracts/schemas/batch';
import type { BulkSettings } from '../state/bulk-settings.ts';
import type { Row } from '../state/row.ts';

/** How each row is run. `lost`: rows without a file to upload. */
export type RunPlan = {
  /** Rows of a new batch. */
  fresh: Row[];
  /** Failed items that the server retries in their batch. */
  again: { batchId: string; rows: Row[] }[];
  /** Rows whose files the server still waits for. */
  resend: Row[];
  lost: Row[];
};

const sameResult = ({ recipe }: Batch, settings: Omit<BulkSettings, 'engine'>) =>
  recipe.scaleFactor === settings.scaleFactor &&
  recipe.format === settings.format &&
  recipe.quality === settings.quality;

/**
 * Decides how each row is run. Retrying a batch retries all of its failed items with the same settings except the
 * engine. If that is not what was asked for, the rows become items of a new batch.
 */
export function planRun(
  rows: readonly Row[],
  batches: Readonly<Record<string, Batch>>,
  settings: BulkSettings,
): RunPlan {
  const wanted = new Set(rows.map(({ item }) => item?.itemId));
  const takesAgain = ({ item, status }: Row) => {
    const batch = item && status === 'failed' ? batches[item.batchId] : undefined;
    if (!batch || batch.status === 'cancelled' || !sameResult(batch, settings)) return false;
    return batch.items.every((item) => item.status !== 'failed' || wanted.has(item.id));
  };
  const plan: RunPlan = { fresh: [], again: [], resend: [], lost: [] };
  const again = new Map<string, Row[]>();
  for (const row of rows) {
    if (row.item && row.awaitsFile && row.file) plan.resend.push(row);
    else if (row.item && takesAgain(row)) again.set(row.item.batchId, [...(again.get(row.item.batchId) ?? []), row]);
    else (row.file ? plan.fresh : plan.lost).push(row);
  }
  return { ...plan, again: [...again].map(([batchId, of]) => ({ batchId, rows: of })) };
}
