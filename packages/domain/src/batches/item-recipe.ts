import { isAiEngine } from '@uprez/contracts/policy/engines';
import type { JobMeter } from '@uprez/contracts/policy/meters';
import type { Recipe } from '@uprez/contracts/recipe/recipe';
import type { BatchItemRow } from '@uprez/db/queries/jobs/batch-items';
import type { BatchRow } from '@uprez/db/queries/jobs/batches';
import type { Operator } from '../jobs/planning/plan-job.ts';

/** The batch's recipe, with the engine that the item was tried again with. */
export const itemRecipe = (batch: Pick<BatchRow, 'recipe'>, item: Pick<BatchItemRow, 'engine'>): Recipe =>
  item.engine === null ? batch.recipe : { ...batch.recipe, engine: item.engine };

/**
 * On what an image will be counted, before it has come: as planned if its size is asked for by a factor, else as if it
 * were enlarged.
 */
export function guessMeter({ engine, scaleFactor }: Recipe, { autoEngine }: Pick<Operator, 'autoEngine'>): JobMeter {
  const auto = scaleFactor !== undefined && scaleFactor <= 1 ? 'standard' : autoEngine;
  return isAiEngine(engine === 'auto' ? auto : engine) ? 'ai' : 'standard';
}
