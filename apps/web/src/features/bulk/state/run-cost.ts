import { isAiEngine } from '@uprez/contracts/policy/images/engines';
import { mimeTypes } from '@uprez/contracts/policy/images/image-formats';
import type { JobMeter, Meter } from '@uprez/contracts/policy/plans/meters';
import type { Plan } from '@uprez/contracts/policy/plans/plan-versions';
import type { Recipe } from '@uprez/contracts/recipe/recipe';
import { recipeDefaults } from '@uprez/contracts/recipe/recipe-fields';
import type { ImagePipeline } from '@uprez/contracts/schemas/image-pipeline';
import { estimateSeconds } from '@uprez/imaging/pipeline/estimate';
import type { SiteEngines } from '../../../lib/api/site-engines.ts';
import { previewPipeline } from '../../../lib/images/preview-pipeline.ts';
import type { RecipeSettings } from '../../../ui/recipe/recipe-settings.ts';
import { meterFor } from './bulk-settings.ts';
import type { Row } from './row.ts';

/** The user's plan and the site's engines, which determine costs. */
export type CostFactors = { ownPlan: Plan; engines?: SiteEngines | undefined };
type RowPlan = { engine: string; seconds: number; minSeconds: number };

/** Caches plans by the image's size object. Rows are replaced often, but keep their size object. */
const planCache = new WeakMap<object, { key: string; plan: RowPlan | undefined }>();

/**
 * Returns the engine and processing time for a row. Returns undefined if its size is unknown or the server would reject
 * it.
 */
export function planRow(
  { imageSize, file, facts }: Row,
  recipe: Recipe,
  { ownPlan, engines }: CostFactors,
): RowPlan | undefined {
  if (!imageSize) return undefined;
  const key = JSON.stringify([recipe, ownPlan.name, ownPlan.version, engines, facts]);
  const found = planCache.get(imageSize);
  if (found?.key === key) return found.plan;
  const mediaType = file?.type || mimeTypes.jpeg;
  const outcome = previewPipeline({ recipe, size: imageSize, ...facts, mediaType, ownPlan, engines });
  const plan = outcome.ok ? describePlan(outcome.pipeline) : undefined;
  planCache.set(imageSize, { key, plan });
  return plan;
}

const describePlan = (pipeline: ImagePipeline): RowPlan => ({
  engine: pipeline.engine,
  seconds: pipeline.estimate.seconds,
  minSeconds: estimateSeconds(pipeline),
});

/**
 * `seconds`: longest total time if all rows run one after another. `minSeconds`: their time without detail. Undefined if
 * no row has a known size.
 */
export type RunCost = {
  credits: readonly (readonly [Meter, number])[];
  seconds: number | undefined;
  minSeconds: number | undefined;
};

type Costs = CostFactors & { settingsOf: (row: Row) => RecipeSettings };

/**
 * Returns the credits that rows use on each of the plan's meters, and their processing time. Rows of unknown size get
 * the average time.
 */
export function estimateRunCost(rows: readonly Row[], { settingsOf, ...terms }: Costs): RunCost {
  const planned = rows.map((row) => planRow(row, { ...recipeDefaults, ...settingsOf(row) }, terms));
  const used = rows.map((row, index): JobMeter => {
    const engine = planned[index]?.engine;
    return engine === undefined ? meterFor(settingsOf(row), row) : isAiEngine(engine) ? 'ai' : 'standard';
  });
  const isShared = 'shared' in terms.ownPlan.included;
  const meters: readonly Meter[] = isShared ? ['shared'] : ['ai', 'standard'];
  const count = (meter: Meter) => (isShared ? used.length : used.filter((one) => one === meter).length);
  const known = planned.filter((plan) => plan !== undefined);
  const total = (time: 'seconds' | 'minSeconds') =>
    known.length === 0 ? undefined : (known.reduce((sum, plan) => sum + plan[time], 0) / known.length) * rows.length;
  return {
    credits: meters.map((meter) => [meter, count(meter)] as const).filter(([, credits]) => credits > 0),
    seconds: total('seconds'),
    minSeconds: total('minSeconds'),
  };
}
