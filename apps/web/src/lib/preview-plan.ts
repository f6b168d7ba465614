import type { Inspection } from '@uprez/contracts/image-plan';
import { inputFormats, mimeTypes, type OutputFormat } from '@uprez/contracts/picture-formats';
import { plans, type Tier } from '@uprez/contracts/plans';
import { recipeDefaults } from '@uprez/contracts/recipe-fields';
import type { PlanOutcome } from '@uprez/imaging/plan/job-limits';
import { planImage } from '@uprez/imaging/plan/plan-image';
import { engineFor } from './engine-for.ts';
import type { Size } from './format.ts';

type Preview = { size: Size; mediaType: string; scaleFactor: number; format: OutputFormat; tier: Tier };

/** What a browser knows of a picture; the rest is the usual case and changes an estimate little. */
function inspect(size: Size, mediaType: string): Inspection {
  const format = inputFormats.find((name) => mimeTypes[name] === mediaType) ?? 'jpeg';
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
    frames: 1,
  };
}

/**
 * The plan that the server will make, from what is known before the upload: output size, estimated seconds, or why
 * the caller's plan refuses it. How long a job may take is left to the server.
 */
export function previewPlan({ size, mediaType, tier, scaleFactor, format }: Preview): PlanOutcome {
  return planImage({
    recipe: { ...recipeDefaults, scaleFactor, format, engine: engineFor(tier, scaleFactor) },
    inspection: inspect(size, mediaType),
    limits: {
      tier,
      maxOutputPixels: plans[tier].maxOutputPixels,
      maxJobSeconds: Number.POSITIVE_INFINITY,
      autoEngine: 'photo-fast',
    },
  });
}
