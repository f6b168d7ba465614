import { useQuery } from '@tanstack/react-query';
import type { Estimate } from '@uprez/contracts/estimate';
import type { Tier } from '@uprez/contracts/plans';
import type { Recipe } from '@uprez/contracts/recipe';
import { routes } from '@uprez/contracts/routes';
import { api } from '../../lib/api.ts';
import { formatOf } from '../../lib/preview-plan.ts';
import { makeSiteEngines } from '../../lib/site-engines.ts';
import { useDebounced } from '../../lib/use-debounced.ts';
import { useEngines } from '../../lib/use-engines.ts';
import { foresee } from './foresee.ts';
import type { Picture } from './picture.ts';
import { recipeFields } from './recipe-of.ts';

const quietMs = 500;

/** What the call takes: the picture's facts, and a recipe whose own width and height go in `target`. */
function estimateBody({ source, size, frames }: Picture, recipe: Recipe | undefined) {
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
 * What will come of a recipe. The planner answers here at once; when the settings rest the server's answer, which knows
 * its own limits too, takes its place. Undefined where the size of the picture is not known, or of the result.
 */
export function useEstimate(picture: Picture, recipe: Recipe | undefined, tier: Tier): Estimate | undefined {
  const { data: known } = useEngines();
  const engines = known && makeSiteEngines(known);
  const body = estimateBody(picture, recipe);
  const asked = useDebounced(body && JSON.stringify(body), quietMs);
  const isResting = asked === (body && JSON.stringify(body));
  const { data } = useQuery({
    queryKey: [routes.estimate.path, tier, asked],
    queryFn: async ({ signal }) => (await api.estimate({ body: JSON.parse(asked ?? '{}'), signal })).data,
    enabled: asked !== undefined && isResting,
  });
  if (!recipe || !picture.size || typeof picture.source === 'string') return undefined;
  if (data && isResting) return data;
  const { size, frames } = picture;
  return foresee({ recipe, size, frames, mediaType: picture.source.type, tier, engines });
}
