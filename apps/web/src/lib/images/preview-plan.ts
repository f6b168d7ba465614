import { inputFormats, mimeTypes } from '@uprez/contracts/policy/image-formats';
import { plans, type Tier } from '@uprez/contracts/policy/plans';
import type { Recipe } from '@uprez/contracts/recipe/recipe';
import type { Inspection } from '@uprez/contracts/schemas/image-plan';
import type { PlanOutcome } from '@uprez/imaging/plan/job-limits';
import { planImage } from '@uprez/imaging/plan/plan-image';
import { type SiteEngines, usualEngines } from '../api/site-engines.ts';
import type { Size } from '../format/format.ts';

type Preview = {
  recipe: Recipe;
  size: Size;
  /** Of an animation. */
  frames?: number | undefined;
  mediaType: string;
  tier: Tier;
  engines?: SiteEngines;
};

/** The format that a media type names; undefined for any other. */
export const formatOf = (mediaType: string) => inputFormats.find((name) => mimeTypes[name] === mediaType);

/** What a browser knows of an image; the rest is the usual case and changes an estimate little. */
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

/**
 * The plan that the server will make of a recipe, from what is known before the upload: output size, estimated seconds
 * and bytes, or why the caller's plan refuses it. How long a job may take is left to the server.
 */
export function previewRecipe({ recipe, size, frames, mediaType, tier, engines = usualEngines }: Preview): PlanOutcome {
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
