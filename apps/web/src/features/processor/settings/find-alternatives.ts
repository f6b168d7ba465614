import { formatNames } from '@uprez/contracts/policy/images/image-formats';
import type { Plan } from '@uprez/contracts/policy/plans/plan-versions';
import { recipeDefaults } from '@uprez/contracts/recipe/recipe-fields';
import type { Estimate } from '@uprez/contracts/schemas/jobs/estimate';
import { targetSize } from '@uprez/imaging/pipeline/target-size';
import type { SiteEngines } from '../../../lib/api/site-engines.ts';
import { formatSize, type Size } from '../../../lib/format/format.ts';
import { previewPipeline } from '../../../lib/images/preview-pipeline.ts';
import { processorMessages as text } from '../messages.ts';
import type { SourceImage } from '../state/image.ts';
import { recipeOf, type Settings } from '../state/settings-store.ts';
import { scaleTarget, targetFields } from '../state/target-size.ts';

export type Alternative = { label: string; change: Partial<Settings> };

type Situation = {
  image: SourceImage;
  settings: Settings;
  limit: NonNullable<Estimate['limit']>;
  ownPlan: Plan;
  engines: SiteEngines | undefined;
};

/** Returns the alternative with the largest size that `maxFactor` allows, entered in the same way. */
function smallerSize({ target, size, maxFactor }: { target: Settings['target']; size: Size; maxFactor: number }) {
  if (!target) return maxFactor < 1 ? [] : [{ label: text.useFactor(maxFactor), change: { scaleFactor: maxFactor } }];
  const sizeOf = (of: typeof target) => targetSize({ ...recipeDefaults, ...targetFields(of) }, size);
  const smaller = scaleTarget(target, maxFactor / sizeOf(target).factor);
  return [{ label: text.useSize(formatSize(sizeOf(smaller))), change: { target: smaller } }];
}

/** PNG allows the longest sides and needs the least memory. */
const asPng: Alternative = { label: text.useFormat(formatNames.png), change: { format: 'png' } };

/** Returns the single changes to the settings that keep the job within the limits. */
export function findAlternatives({ image, settings, limit, ownPlan, engines }: Situation): Alternative[] {
  const { size, source, ...known } = image;
  if (!size) return [];
  const isAccepted = ({ change }: Alternative) => {
    const recipe = recipeOf({ ...settings, ...change }, image);
    return (
      recipe !== undefined && previewPipeline({ ...known, recipe, size, mediaType: source.type, ownPlan, engines }).ok
    );
  };
  const all: Alternative[] = [
    ...(limit.maxFactor ? smallerSize({ target: settings.target, size, maxFactor: limit.maxFactor }) : []),
    ...(settings.engine === 'standard' ? [] : [{ label: text.useStandard, change: { engine: 'standard' as const } }]),
    ...(limit.code === 'output_too_large' && settings.format !== 'png' ? [asPng] : []),
  ];
  return all.filter(isAccepted);
}
