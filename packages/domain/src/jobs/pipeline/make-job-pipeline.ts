import { AppError } from '@uprez/contracts/errors/app-error';
import { isAiEngine, type JobEngine, type RequestedEngine } from '@uprez/contracts/policy/images/engines';
import { formatNames, formatTraits } from '@uprez/contracts/policy/images/image-formats';
import { sandbox } from '@uprez/contracts/policy/sandbox';
import type { Recipe } from '@uprez/contracts/recipe/recipe';
import { sizeFields } from '@uprez/contracts/recipe/recipe-choices';
import type { ImagePipeline, Inspection } from '@uprez/contracts/schemas/image-pipeline';
import type { JobLimits } from '@uprez/imaging/pipeline/job-limits';
import { makePipeline } from '@uprez/imaging/pipeline/make-pipeline';
import { type Actor, isSandbox } from '../../actor.ts';

export type Operator = Pick<
  JobLimits,
  'autoEngine' | 'maxJobSeconds' | 'countsFullSize' | 'enginesAvailable' | 'customModels' | 'printProfiles' | 'speed'
> & {
  /** Paused engines, for which no jobs are started. Default: none. */
  pausedEngines?: readonly JobEngine[];
};
export type JobPipelineInput = {
  actor: Pick<Actor, 'plan'>;
  recipe: Recipe;
  inspection: Inspection;
  operator: Operator;
  /** Size of the image file, in bytes, if known. */
  sourceBytes?: number | undefined;
};

/**
 * Creates a job's pipeline within the limits of the actor's plan. Throws an AppError with the reason if the job is
 * rejected.
 */
export function makeJobPipeline({ actor, recipe, inspection, operator, sourceBytes }: JobPipelineInput): ImagePipeline {
  const { plan } = actor;
  const limits = { ...operator, plan, maxOutputPixels: plan.maxOutputPixels };
  const outcome = makePipeline({ recipe, inspection, limits, sourceBytes });
  if (outcome.ok) return outcome.pipeline;
  const { code, ...options } = outcome.rejection;
  throw new AppError(code, options);
}

export type RequestInput = JobPipelineInput & {
  actor: Actor;
  /**
   * Whether the request set no format. The format then becomes PNG if the image would otherwise lose its transparency.
   */
  keepsAlpha?: boolean | undefined;
};
/**
 * `recipe`: the final recipe. `plan`: the job's pipeline, which is stored under this name. `notes`: describe changes to
 * the recipe for the caller.
 */
export type PreparedRequest = { recipe: Recipe; plan: ImagePipeline; notes: string[] };

/**
 * Adjusts a request's recipe for transparency and the sandbox, and creates the pipeline for it. Throws the errors of
 * `makeJobPipeline`.
 */
export function prepareRequest({ recipe, keepsAlpha, ...input }: RequestInput): PreparedRequest {
  const { actor, inspection } = input;
  const settled = keepsAlpha ? keepAlpha(recipe, inspection) : { recipe, notes: [] };
  const pipeline = makeJobPipeline({ ...input, recipe: settled.recipe });
  if (!isSandbox(actor)) return { ...settled, plan: pipeline };
  const small = fitToSandbox(settled.recipe, pipeline);
  return {
    recipe: small.recipe,
    plan: makeJobPipeline({ ...input, recipe: small.recipe }),
    notes: [...settled.notes, ...small.notes],
  };
}

/**
 * Switches the recipe to PNG if its format would lose the image's transparency. Call it only when no format was set.
 */
export function keepAlpha(recipe: Recipe, { hasAlpha }: Inspection): { recipe: Recipe; notes: string[] } {
  if (!hasAlpha || recipe.format === 'auto' || formatTraits[recipe.format].alpha) return { recipe, notes: [] };
  const note = `The image has transparency and no format was set, so the result is PNG instead of ${formatNames[recipe.format]}.`;
  return { recipe: { ...recipe, format: 'png' }, notes: [note] };
}

/** Returns a recipe with another engine, without options that the engine would reject. */
export function replaceEngine(recipe: Recipe, engine: RequestedEngine): Recipe {
  const { detail, strength, mask, grain, ...rest } = recipe;
  const usesAi = engine === 'auto' || isAiEngine(engine);
  return {
    ...{ ...rest, engine },
    ...(usesAi && detail && { detail }),
    ...(usesAi && strength !== undefined && { strength }),
    ...(usesAi && mask && { mask }),
    ...(engine !== 'nearest' && grain !== undefined && { grain }),
  };
}

/** Reduces a recipe to the limits of the sandbox. `notes` lists the changes. */
export function fitToSandbox(recipe: Recipe, pipeline: ImagePipeline): { recipe: Recipe; notes: string[] } {
  const { width, height } = pipeline.output;
  const side = Math.max(width, height);
  const notes = ["Sandbox: this job isn't charged or counted."];
  let small: Recipe = { ...recipe, retention: Math.min(recipe.retention, sandbox.maxHours) };
  const sourceSide = Math.max(pipeline.source.width, pipeline.source.height);
  if (sourceSide > sandbox.maxSide && isAiEngine(pipeline.engine)) {
    small = replaceEngine(small, 'standard');
    notes.push(`Sandbox: images larger than ${sandbox.maxSide} pixels use "standard" instead of "${pipeline.engine}".`);
  }
  if (side <= sandbox.maxSide) return { recipe: small, notes };
  if (pipeline.engine === 'nearest') {
    small.engine = 'standard';
    notes.push('Sandbox: results of this size use "standard" instead of "nearest".');
  }
  const scale = sandbox.maxSide / side;
  const [smallWidth, smallHeight] = [width, height].map((length) => Math.max(1, Math.round(length * scale)));
  notes.push(
    `Sandbox: the result is limited to ${sandbox.maxSide} pixels per side instead of ${width} x ${height} pixels.`,
  );
  // An image of that size isn't upscaled any more, which rejects `crisp`.
  const replaced: readonly string[] = sourceSide < sandbox.maxSide ? sizeFields : [...sizeFields, 'detail'];
  const rest = Object.entries(small).filter(([name]) => !replaced.includes(name));
  const unsized = Object.fromEntries(rest) as Recipe;
  const size = pipeline.crop
    ? { width: smallWidth, height: smallHeight }
    : { longSide: sandbox.maxSide, fit: 'fit' as const };
  return { recipe: { ...unsized, ...size } as Recipe, notes };
}
