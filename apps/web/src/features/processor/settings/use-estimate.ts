import { useQuery } from '@tanstack/react-query';
import { routes } from '@uprez/contracts/endpoints/routes';
import type { Tier } from '@uprez/contracts/policy/plans';
import type { Recipe } from '@uprez/contracts/recipe/recipe';
import type { Estimate } from '@uprez/contracts/schemas/estimate';
import { api } from '../../../lib/api/api.ts';
import { useEngines } from '../../../lib/api/queries.ts';
import { makeSiteEngines } from '../../../lib/api/site-engines.ts';
import { useDebounced } from '../../../lib/browser/use-debounced.ts';
import { formatOf } from '../../../lib/images/preview-plan.ts';
import type { SourceImage } from '../state/image.ts';
import { recipeFields } from '../state/recipe-of.ts';
import { estimateLocally } from './estimate-locally.ts';

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
