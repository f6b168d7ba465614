import { useQuery } from '@tanstack/react-query';
import { routes } from '@uprez/contracts/endpoints/routes';
import { isAiEngine } from '@uprez/contracts/policy/engines';
import { plans, type Tier } from '@uprez/contracts/policy/plans';
import type { Recipe } from '@uprez/contracts/recipe/recipe';
import type { Estimate } from '@uprez/contracts/schemas/estimate';
import { chooseEngine } from '@uprez/imaging/plan/choose-engine';
import { targetSize } from '@uprez/imaging/plan/target-size';
import { api } from '../../../lib/api/api.ts';
import { useEngines } from '../../../lib/api/queries.ts';
import { defaultEngines, makeSiteEngines, type SiteEngines } from '../../../lib/api/site-engines.ts';
import { useDebounced } from '../../../lib/browser/use-debounced.ts';
import type { Size } from '../../../lib/format/format.ts';
import { formatOf, previewPlan } from '../../../lib/images/preview-plan.ts';
import type { SourceImage } from '../state/image.ts';
import { recipeFields } from '../state/settings-store.ts';

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
  const { code, detail, meta } = outcome.rejection;
  return { ...made, bytes: null, seconds: null, limit: { code, detail, ...meta } };
}

const quietMs = 500;

/** The request body of an estimate. Width and height of the result are in `target`. */
function estimateBody({ source, size, frames }: SourceImage, recipe: Recipe | undefined) {
  if (!recipe || !size || typeof source === 'string') return undefined;
  const { width, height, fit, ...fields } = recipeFields(recipe);
  const sourceFormat = formatOf(source.type);
  return {
    ...fields,
    ...size,
    bytes: source.size,
    ...(frames && { frames }),
    ...(sourceFormat && { sourceFormat }),
    ...(fit !== undefined && { target: { fit, ...(width && { width }), ...(height && { height }) } }),
  };
}

/**
 * The estimate of a job: the local planner's at first, and the server's once the settings have not changed for a while.
 * Undefined while the size of the image or of the result is unknown.
 */
export function useEstimate(image: SourceImage, recipe: Recipe | undefined, tier: Tier): Estimate | undefined {
  const { data: known } = useEngines();
  const engines = known && makeSiteEngines(known);
  const body = estimateBody(image, recipe);
  const asked = useDebounced(body && JSON.stringify(body), quietMs);
  const isResting = asked === (body && JSON.stringify(body));
  const { data } = useQuery({
    queryKey: [routes.estimate.path, tier, asked],
    queryFn: async ({ signal }) => (await api.estimate({ body: JSON.parse(asked ?? '{}'), signal })).data,
    enabled: asked !== undefined && isResting,
  });
  if (!recipe || !image.size || typeof image.source === 'string') return undefined;
  if (data && isResting) return data;
  const { size, frames } = image;
  return estimateLocally({ recipe, size, frames, mediaType: image.source.type, tier, engines });
}
