import { AppError } from '@uprez/contracts/app-error';
import { isAiEngine } from '@uprez/contracts/engines';
import type { Estimate, EstimateBody } from '@uprez/contracts/estimate';
import type { ImagePlan, Inspection } from '@uprez/contracts/image-plan';
import { may } from '@uprez/contracts/may';
import type { Meter } from '@uprez/contracts/meters';
import { parseRecipe } from '@uprez/contracts/parse-recipe';
import { plans, type Tier } from '@uprez/contracts/plans';
import type { Recipe } from '@uprez/contracts/recipe';
import { chooseEngine } from '@uprez/imaging/plan/choose-engine';
import { planImage } from '@uprez/imaging/plan/plan-image';
import { targetSize } from '@uprez/imaging/plan/target-size';
import { type Operator, planJob } from '../jobs/plan-job.ts';

export type EstimateInput = { tier: Tier; body: EstimateBody; operator: Operator };
/** No plan and no operator's time limit. */
const unbound = { maxOutputPixels: Number.POSITIVE_INFINITY, maxJobSeconds: Number.POSITIVE_INFINITY };
type Limit = NonNullable<Estimate['limit']>;

/**
 * What a job would make, take and be charged, by the planner that jobs go through: a refusal is part of the answer, in
 * `limit`. Throws `invalid_parameter` or `conflicting_params` for fields that no recipe has.
 */
export function estimateJob({ tier, body, operator }: EstimateInput): Estimate {
  const { width, height, bytes, hasAlpha, sourceFormat, frames, target, ...fields } = body;
  const texts = [...Object.entries(fields), ...Object.entries(target)].map(([name, value]) => [name, String(value)]);
  const recipe = parseRecipe(texts as [string, string][]);
  const inspection = assumeInspection({ width, height, hasAlpha, format: sourceFormat, frames });
  const limit = findUploadLimit(tier, bytes) ?? findPlanLimit({ tier, recipe, inspection, operator });
  const plan = planWithoutTier(recipe, inspection, operator);
  const size = targetSize(recipe, inspection);
  const engine = plan?.engine ?? chooseEngine(recipe.engine, size.factor, { ...operator, ...unbound });
  return {
    width: size.width,
    height: size.height,
    bytes: plan?.estimate.outputBytes ?? null,
    seconds: plan?.estimate.seconds ?? null,
    units: 1,
    meter: meterOf(tier, engine),
    ...(limit && { limit }),
  };
}

const meterOf = (tier: Tier, engine: ImagePlan['engine']): Meter => {
  if ('shared' in plans[tier].included) return 'shared';
  return isAiEngine(engine) ? 'ai' : 'standard';
};

type Facts = Pick<Inspection, 'width' | 'height' | 'hasAlpha' | 'format' | 'frames'>;

/** What the header of such a picture says when nothing about it is unusual. */
const assumeInspection = (facts: Facts): Inspection => ({
  ...facts,
  orientation: 1,
  channels: facts.hasAlpha ? 4 : 3,
  space: 'rgb',
  isPalette: facts.format === 'gif',
  bitDepth: 8,
  hasProfile: false,
  decodesWhole: !['jpeg', 'png', 'tiff'].includes(facts.format),
});

const withoutCharge = (sentence: string) => sentence.replace(/ Nothing was charged\.$/, '');

function findUploadLimit(tier: Tier, bytes = 0): Limit | undefined {
  const upload = may(tier, { what: 'upload', surface: 'web', bytes });
  if (upload.ok) return undefined;
  const { code, limit, value, unlockedBy } = upload;
  const detail = withoutCharge(new AppError(code).message);
  return { code, detail, limit, value, ...(unlockedBy && { unlockedBy }) };
}

type Asked = { tier: Tier; recipe: Recipe; inspection: Inspection; operator: Operator };

function findPlanLimit({ tier, recipe, inspection, operator }: Asked): Limit | undefined {
  try {
    planJob({ actor: { tier }, recipe, inspection, operator });
    return undefined;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const meta = error.meta as Pick<Limit, 'limit' | 'value' | 'maxFactor' | 'unlockedBy'>;
    return { code: error.code, detail: withoutCharge(error.message), ...meta };
  }
}

/** The plan as the largest of all plans would have it: what a smaller one refuses still has a size and a time. */
function planWithoutTier(recipe: Recipe, inspection: Inspection, operator: Operator): ImagePlan | undefined {
  const outcome = planImage({ recipe, inspection, limits: { ...operator, ...unbound } });
  return outcome.ok ? outcome.plan : undefined;
}
