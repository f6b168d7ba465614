import type { Batch } from '@uprez/contracts/schemas/batch';
import type { Row } from '../list/row.ts';
import type { BulkSettings } from '../settings/bulk-settings.ts';

/** How rows are run. `lost`: there is no file here to send anew. */
export type RunPlan = {
  /** A new batch. */
  fresh: Row[];
  /** Failed items that the server tries again, with the file that it still has where it has it. */
  again: { batchId: string; rows: Row[] }[];
  /** The server still waits for their files. */
  resend: Row[];
  lost: Row[];
};

const sameResult = ({ recipe }: Batch, settings: Omit<BulkSettings, 'engine'>) =>
  recipe.scaleFactor === settings.scaleFactor &&
  recipe.format === settings.format &&
  recipe.quality === settings.quality;

/**
 * Sort rows by how they are run. A batch tries all of its failed items again, so it is asked only when all of them are
 * wanted, and when only the engine is another one; else they become items of a new batch.
 */
export function planRun(
  rows: readonly Row[],
  batches: Readonly<Record<string, Batch>>,
  settings: BulkSettings,
): RunPlan {
  const wanted = new Set(rows.map(({ at }) => at?.itemId));
  const takesAgain = ({ at, status }: Row) => {
    const batch = at && status === 'failed' ? batches[at.batchId] : undefined;
    if (!batch || batch.status === 'cancelled' || !sameResult(batch, settings)) return false;
    return batch.items.every((item) => item.status !== 'failed' || wanted.has(item.id));
  };
  const plan: RunPlan = { fresh: [], again: [], resend: [], lost: [] };
  const again = new Map<string, Row[]>();
  for (const row of rows) {
    if (row.at && row.waits && row.file) plan.resend.push(row);
    else if (row.at && takesAgain(row)) again.set(row.at.batchId, [...(again.get(row.at.batchId) ?? []), row]);
    else (row.file ? plan.fresh : plan.lost).push(row);
  }
  return { ...plan, again: [...again].map(([batchId, of]) => ({ batchId, rows: of })) };
}
