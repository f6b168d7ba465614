import { inputFormats, mimeTypes } from '@uprez/contracts/policy/images/image-formats';
import type { Plan } from '@uprez/contracts/policy/plans/plan-versions';
import type { Recipe } from '@uprez/contracts/recipe/recipe';
import type { Inspection } from '@uprez/contracts/schemas/image-pipeline';
import type { PipelineOutcome } from '@uprez/imaging/pipeline/job-limits';
import { makePipeline } from '@uprez/imaging/pipeline/make-pipeline';
import { defaultEngines, type SiteEngines } from '../api/site-engines.ts';
import type { Size } from '../format/format.ts';

export type PixelTraits = Pick<Inspection, 'format' | 'hasAlpha' | 'isPalette' | 'bitDepth'>;

const usualTraits = { hasAlpha: false, isPalette: false, bitDepth: 8 };

export type Preview = {
  recipe: Recipe;
  size: Size;
  frames?: number | undefined;
  traits?: PixelTraits | undefined;
  mediaType: string;
  sourceBytes?: number | undefined;
  ownPlan: Plan;
  engines?: SiteEngines | undefined;
};

export const formatOf = (mediaType: string) => inputFormats.find((name) => mimeTypes[name] === mediaType);

/**
 * Describes an image by the properties that the browser knows. Fills in typical values for the others, which hardly
 * affect an estimate.
 */
function toInspection({ size, mediaType, frames = 1, traits }: Preview): Inspection {
  const format = traits?.format ?? formatOf(mediaType) ?? 'jpeg';
  return {
    ...size,
    orientation: 1,
    ...usualTraits,
    ...traits,
    format,
    channels: traits?.hasAlpha ? 4 : 3,
    space: 'rgb',
    hasProfile: false,
    decodesWhole: format !== 'jpeg' && format !== 'png',
    frames,
  };
}

/**
 * Returns the pipeline that the server will create for a recipe, or why the user's plan doesn't allow it. Ignores the
 * time limit for jobs.
 */
export function previewPipeline(preview: Preview): PipelineOutcome {
  const { recipe, sourceBytes, ownPlan, engines = defaultEngines } = preview;
  return makePipeline({
    recipe,
    sourceBytes,
    inspection: toInspection(preview),
    limits: {
      ...engines,
      plan: ownPlan,
      maxOutputPixels: ownPlan.maxOutputPixels,
      maxJobSeconds: Number.POSITIVE_INFINITY,
    },
  });
}
