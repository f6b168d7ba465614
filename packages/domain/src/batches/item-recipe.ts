import { isAiEngine } from '@uprez/contracts/policy/engines';
import type { JobMeter } from '@uprez/contracts/policy/meters';
import type { Recipe } from '@uprez/contracts/recipe/recipe';
import type { BatchItemRow } from '@uprez/db/queries/jobs/batch-items';
import type { BatchRow } from '@uprez/db/queries/jobs/batches';
import type { Operator } from '../jobs/planning/plan-job.ts';

/** The batch's recipe, with the engine that the item was tried again with. */
export const itemRecipe = (batch: Pick<BatchRow, 'recipe'>, item: Pick<BatchItemRow, 'engine'>): Recipe =>
  item.engine === null ? batch.recipe : { ...batch.recipe, engine: item.engine };

/** Meter on which an image will count, before its file arrives. Assumes upscaling unless a factor is set. */
export function guessMeter({ engine, scaleFactor }: Recipe, { autoEngine }: Pick<Operator, 'autoEngine'>): JobMeter {
  const auto = scaleFactor !== undefined && scaleFactor <= 1 ? 'standard' : autoEngine;
  return isAiEngine(engine === 'auto' ? auto : engine) ? 'ai' : 'standard';
}
