import { inputFormats, mimeTypes } from '@uprez/contracts/policy/image-formats';
import { plans, type Tier } from '@uprez/contracts/policy/plans';
import type { Recipe } from '@uprez/contracts/recipe/recipe';
import type { Inspection } from '@uprez/contracts/schemas/image-plan';
import type { PlanOutcome } from '@uprez/imaging/plan/job-limits';
import { planImage } from '@uprez/imaging/plan/plan-image';
import { defaultEngines, type SiteEngines } from '../api/site-engines.ts';
import type { Size } from '../format/format.ts';

export type Preview = {
  recipe: Recipe;
  size: Size;
  /** Of an animation. */
  frames?: number | undefined;
  mediaType: string;
  tier: Tier;
  engines?: SiteEngines | undefined;
};

export const formatOf = (mediaType: string) => inputFormats.find((name) => mimeTypes[name] === mediaType);

/** What the browser knows of an image. The other values are typical and hardly change an estimate. */
function inspect(size: Size, mediaType: string, frames = 1): Inspection {
  const format = formatOf(mediaType) ?? 'jpeg';
  return {
    ...size,
    format,
    orientation: 1,
    channels: 3,
    space: 'rgb',
    isPalette: false,
    bitDepth: 8,
    hasAlpha: false,
    hasProfile: false,
    decodesWhole: format !== 'jpeg' && format !== 'png',
    frames,
  };
}

/** The plan that the server will make for a recipe, or why the tier does not allow it. Ignores the time limit of jobs. */
export function previewPlan({ recipe, size, frames, mediaType, tier, engines = defaultEngines }: Preview): PlanOutcome {
  return planImage({
    recipe,
    inspection: inspect(size, mediaType, frames),
    limits: {
      ...engines,
      tier,
      maxOutputPixels: plans[tier].maxOutputPixels,
      maxJobSeconds: Number.POSITIVE_INFINITY,
    },
  });
}
