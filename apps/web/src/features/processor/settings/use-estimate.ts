import { useQuery } from '@tanstack/react-query';
import { apiRoutes } from '@uprez/contracts/endpoints/routes-api';
import type { Plan } from '@uprez/contracts/policy/plans/plan-versions';
import type { Recipe } from '@uprez/contracts/recipe/recipe';
import type { Estimate } from '@uprez/contracts/schemas/jobs/estimate';
import { chooseEngine } from '@uprez/imaging/pipeline/choose-engine';
import { computeTargetSize } from '@uprez/imaging/pipeline/compute-target-size';
import { estimateSeconds } from '@uprez/imaging/pipeline/estimate';
import { api } from '../../../lib/api/api.ts';
import { useEngines } from '../../../lib/api/queries.ts';
import { defaultEngines, makeSiteEngines } from '../../../lib/api/site-engines.ts';
import { useDebounced } from '../../../lib/browser/use-debounced.ts';
import { formatOf, type Preview, previewPipeline } from '../../../lib/images/preview-pipeline.ts';
import { meterOfEngine } from '../../../ui/recipe/recipe-settings.ts';
import type { SourceImage } from '../state/image.ts';
import { toFormFields } from '../state/settings-store.ts';

/** Estimates a job in the browser, because a request for each slider movement would be too many. */
export function estimateLocally({ engines = defaultEngines, ...known }: Preview): Estimate {
  const { recipe, size, ownPlan } = known;
  const target = computeTargetSize(recipe, size);
  const outcome = previewPipeline({ ...known, engines });
  const engine = chooseEngine(recipe.engine, { ...size, factor: target.factor }, engines);
  const made = {
    width: target.width,
    height: target.height,
    units: 1,
    meter: 'shared' in ownPlan.included ? 'shared' : meterOfEngine(engine),
    pausedEngine: engines.pausedEngines?.includes(engine) ? engine : null,
    // Only the server can estimate the wait.
    waitSeconds: null,
  } as const;
  if (outcome.ok) {
    const { outputBytes, seconds } = outcome.pipeline.estimate;
    return { ...made, bytes: outputBytes, seconds, minSeconds: estimateSeconds(outcome.pipeline) };
  }
  const { code, detail, meta } = outcome.rejection;
  return { ...made, bytes: null, seconds: null, minSeconds: null, limit: { code, detail, ...meta } };
}

const debounceMs = 500;
const queuePollMs = 10_000;

/**
 * Returns the request body of an estimate. `width` and `height` are the source's. The result's are in `target`.
 * Undefined while a size is unknown.
 */
function toEstimateBody({ source, size, frames, traits }: SourceImage, recipe: Recipe | undefined) {
  if (!recipe || !size) return undefined;
  const { width, height, fit, ...fields } = toFormFields(recipe);
  const sourceFormat = traits?.format ?? formatOf(source.type);
  return {
    ...fields,
    ...size,
    bytes: source.size,
    ...(frames && { frames }),
    ...(traits?.hasAlpha && { hasAlpha: true }),
    ...(sourceFormat && { sourceFormat }),
    ...(fit !== undefined && { target: { fit, ...(width && { width }), ...(height && { height }) } }),
  };
}

/**
 * Returns the local estimate, and the server's estimate once the settings stop changing. Returns undefined until the
 * image's size is known. Polls the server only while images are queued. `pausedEngine` comes from the list of engines
 * or from the server's estimate, whichever is newer.
 */
export function useEstimate(image: SourceImage, recipe: Recipe | undefined, ownPlan: Plan): Estimate | undefined {
  const { data: known, dataUpdatedAt: knownAt } = useEngines({ isLive: true });
  const engines = known && makeSiteEngines(known);
  const body = toEstimateBody(image, recipe);
  const asked = useDebounced(body && JSON.stringify(body), debounceMs);
  const isResting = asked === (body && JSON.stringify(body));
  const { data, dataUpdatedAt } = useQuery({
    queryKey: [apiRoutes.estimate.path, ownPlan.name, ownPlan.version, asked],
    queryFn: async ({ signal }) => (await api.estimate({ body: JSON.parse(asked ?? '{}'), signal })).data,
    enabled: asked !== undefined && isResting,
    // Estimates become stale, because the queue keeps changing.
    staleTime: queuePollMs,
    refetchInterval: ({ state }) => (state.data?.waitSeconds ? queuePollMs : false),
  });
  if (!recipe || !image.size) return undefined;
  const { size, frames, traits, source } = image;
  const file = { mediaType: source.type, sourceBytes: source.size };
  const local = estimateLocally({ recipe, size, frames, traits, ...file, ownPlan, engines });
  if (!isResting || !data) return { ...local, waitSeconds: data?.waitSeconds ?? null };
  return knownAt > dataUpdatedAt ? { ...data, pausedEngine: local.pausedEngine } : data;
}
