import { AppError, makeFileTooLargeError } from '@uprez/contracts/errors/app-error';
import { isAiEngine } from '@uprez/contracts/policy/images/engines';
import { checkPlanLimits } from '@uprez/contracts/policy/plans/check-plan-limits';
import type { Meter } from '@uprez/contracts/policy/plans/meters';
import type { Plan } from '@uprez/contracts/policy/plans/plan-versions';
import { type Fields, findField, parseRecipe } from '@uprez/contracts/recipe/parse-recipe';
import type { ImagePipeline, Inspection } from '@uprez/contracts/schemas/image-pipeline';
import type { Estimate, EstimateBody } from '@uprez/contracts/schemas/jobs/estimate';
import { v1Defaults } from '@uprez/contracts/v1/fields';
import { chooseEngine } from '@uprez/imaging/pipeline/choose-engine';
import { computeTargetSize } from '@uprez/imaging/pipeline/compute-target-size';
import { estimateSeconds } from '@uprez/imaging/pipeline/estimate';
import { makePipeline, type PipelineRequest } from '@uprez/imaging/pipeline/make-pipeline';
import type { Origin } from '../../actor.ts';
import { type JobPipelineInput, keepAlpha, makeJobPipeline, type Operator } from './make-job-pipeline.ts';

export type EstimateInput = {
  plan: Plan;
  body: EstimateBody;
  operator: Operator;
  surface?: Origin['surface'];
  waitSeconds?: number | undefined;
};
const noLimits = { maxOutputPixels: Number.POSITIVE_INFINITY, maxJobSeconds: Number.POSITIVE_INFINITY };
type Limit = NonNullable<Estimate['limit']>;

/**
 * Estimates a job. If the job exceeds a limit, returns it as `limit` instead of throwing an error. Throws
 * `invalid_parameter` or `conflicting_params`.
 */
export function estimateJob({ plan: ownPlan, body, operator, surface = 'web', waitSeconds }: EstimateInput): Estimate {
  const { width, height, bytes, hasAlpha, sourceFormat, frames, target, ...fields } = body;
  const texts = [...Object.entries(fields), ...Object.entries(target)].map(([name, value]) => [name, String(value)]);
  const inspection = makeAssumedInspection({ width, height, hasAlpha, format: sourceFormat, frames });
  const recipe = readRecipe(texts as [string, string][], { surface, inspection });
  const limit =
    findUploadLimit(ownPlan, surface, bytes) ??
    findPlanLimit({ actor: { plan: ownPlan }, recipe, inspection, operator });
  const pipeline = makeUnlimitedPipeline({ recipe, inspection, sourceBytes: bytes }, operator);
  const size = computeTargetSize(recipe, inspection);
  const engine = pipeline?.engine ?? chooseEngine(recipe.engine, { width, height, factor: size.factor }, operator);
  return {
    width: size.width,
    height: size.height,
    bytes: pipeline?.estimate.outputBytes ?? null,
    seconds: pipeline?.estimate.seconds ?? null,
    minSeconds: pipeline ? estimateSeconds(pipeline) : null,
    waitSeconds: waitSeconds ?? null,
    units: 1,
    meter: planMeterOf(ownPlan, engine),
    pausedEngine: operator.pausedEngines?.includes(engine) ? engine : null,
    ...(limit && { limit }),
  };
}

function readRecipe(fields: Fields, { surface, inspection }: { surface: Origin['surface']; inspection: Inspection }) {
  if (surface === 'web') return parseRecipe(fields);
  const recipe = parseRecipe(fields, v1Defaults);
  return fields.some(([name]) => findField(name) === 'format') ? recipe : keepAlpha(recipe, inspection).recipe;
}

/** Returns the plan's meter that a job with this engine counts toward. */
export const planMeterOf = ({ included }: Plan, engine: ImagePipeline['engine']): Meter => {
  if ('shared' in included) return 'shared';
  return isAiEngine(engine) ? 'ai' : 'standard';
};

const makeAssumedInspection = (
  facts: Pick<Inspection, 'width' | 'height' | 'hasAlpha' | 'format' | 'frames'>,
): Inspection => ({
  ...facts,
  orientation: 1,
  channels: facts.hasAlpha ? 4 : 3,
  space: 'rgb',
  isPalette: facts.format === 'gif',
  bitDepth: 8,
  hasProfile: false,
  decodesWhole: !['jpeg', 'png', 'tiff'].includes(facts.format),
});

function findUploadLimit(plan: Plan, surface: Origin['surface'], bytes = 0): Limit | undefined {
  const upload = checkPlanLimits(plan, { what: 'upload', surface, bytes });
  if (upload.ok) return undefined;
  const { code, limit, value, unlockedBy } = upload;
  return {
    code,
    detail: makeFileTooLargeError(Number(limit)).message,
    limit,
    value,
    ...(unlockedBy && { unlockedBy }),
  };
}

function findPlanLimit(input: JobPipelineInput): Limit | undefined {
  try {
    makeJobPipeline(input);
    return undefined;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const meta = error.meta as Pick<Limit, 'limit' | 'value' | 'maxFactor' | 'unlockedBy'>;
    return { code: error.code, detail: error.message, ...meta };
  }
}

/**
 * Creates a pipeline without plan limits, because the estimate includes a size and a duration even if the plan doesn't
 * allow the job.
 */
function makeUnlimitedPipeline(
  request: Omit<PipelineRequest, 'limits'>,
  operator: Operator,
): ImagePipeline | undefined {
  const outcome = makePipeline({ ...request, limits: { ...operator, ...noLimits } });
  return outcome.ok ? outcome.pipeline : undefined;
}
