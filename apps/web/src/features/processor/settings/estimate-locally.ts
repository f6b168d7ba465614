import { isAiEngine } from '@uprez/contracts/policy/engines';
import { plans, type Tier } from '@uprez/contracts/policy/plans';
import type { Recipe } from '@uprez/contracts/recipe/recipe';
import type { Estimate } from '@uprez/contracts/schemas/estimate';
import { chooseEngine } from '@uprez/imaging/plan/choose-engine';
import { targetSize } from '@uprez/imaging/plan/target-size';
import { defaultEngines, type SiteEngines } from '../../../lib/api/site-engines.ts';
import type { Size } from '../../../lib/format/format.ts';
import { previewPlan } from '../../../lib/images/preview-plan.ts';

type Asked = {
  recipe: Recipe;
  size: Size;
  /** Frames of an animation. */
  frames?: number | undefined;
  mediaType: string;
  tier: Tier;
  engines?: SiteEngines | undefined;
};

/** Estimates a job in the browser, without a request for each move of a slider. */
export function estimateLocally({ recipe, size, frames, mediaType, tier, engines = defaultEngines }: Asked): Estimate {
  const target = targetSize(recipe, size);
  const outcome = previewPlan({ recipe, size, frames, mediaType, tier, engines });
  const engine = chooseEngine(recipe.engine, target.factor, { ...engines, maxOutputPixels: 0, maxJobSeconds: 0 });
  const own = isAiEngine(engine) ? 'ai' : 'standard';
  const made = {
    width: target.width,
    height: target.height,
    units: 1,
    meter: 'shared' in plans[tier].included ? 'shared' : own,
  } as const;
  if (outcome.ok) {
    const { outputBytes, seconds } = outcome.plan.estimate;
    return { ...made, bytes: outputBytes, seconds };
  }
  const { code, detail, meta } = outcome.refusal;
  return { ...made, bytes: null, seconds: null, limit: { code, detail, ...meta } };
}
