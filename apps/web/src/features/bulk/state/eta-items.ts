import { recipeDefaults } from '@uprez/contracts/recipe/recipe-fields';
import type { BulkState } from './bulk-store.ts';
import type { Row, RowStatus } from './row.ts';
import { planRow, type Terms } from './run-cost.ts';
import type { EtaItem } from './time-images.ts';

const states: Partial<Record<RowStatus, EtaItem['state']>> = {
  processing: 'running',
  completed: 'done',
  expired: 'done',
  failed: 'dropped',
  cancelled: 'dropped',
  rejected: 'dropped',
};

/** Images of a class differ by less than the factor 2 in their pixels. */
const classOf = (engine: string, { width, height }: { width: number; height: number }) =>
  `${engine} ${Math.round(Math.log2(width * height))}`;

/** The rows of a run for the estimate of its time. Rows of unknown size count as average ones. */
export function etaItems(rows: readonly Row[], { batches, ...terms }: Terms & Pick<BulkState, 'batches'>): EtaItem[] {
  const plans = rows.map((row) => planRow(row, batches[row.item?.batchId ?? '']?.recipe ?? recipeDefaults, terms));
  const known = plans.flatMap((plan) => plan?.seconds ?? []);
  const average = known.length === 0 ? 1 : known.reduce((sum, one) => sum + one, 0) / known.length;
  return rows.map(({ id, status, progress, imageSize }, index) => {
    const plan = plans[index];
    return {
      id,
      sizeClass: plan && imageSize ? classOf(plan.engine, imageSize) : 'unknown',
      seconds: plan?.seconds ?? average,
      state: states[status] ?? 'waiting',
      progress: progress / 100,
    };
  });
}
