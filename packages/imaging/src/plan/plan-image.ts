import { isAiEngine } from '@uprez/contracts/policy/engines';
import { factorRange, formatTraits } from '@uprez/contracts/policy/image-formats';
import type { Recipe } from '@uprez/contracts/recipe/recipe';
import { sizeFields } from '@uprez/contracts/recipe/recipe-choices';
import type { ImagePlan, Inspection } from '@uprez/contracts/schemas/image-plan';
import { checkEntitlement, checkInput, checkMemory, checkOutput, checkTime } from './check-plan.ts';
import { chooseEngine, planAuto } from './choose-engine.ts';
import { chooseFormat } from './choose-format.ts';
import { estimate, type Work } from './estimate.ts';
import type { JobLimits, PlanOutcome, Rejection } from './job-limits.ts';
import { mayReturnSource } from './may-return-source.ts';
import { findEngineRejection, planPasses } from './plan-passes.ts';
import { type Target, targetSize } from './target-size.ts';

export type PlanRequest = {
  recipe: Recipe;
  inspection: Inspection;
  limits: JobLimits;
  /** File size of the image. It tells how detailed a photo is, which the size of the result depends on. */
  sourceBytes?: number | undefined;
};

/** Plan how to process an image, or return why it is not possible. Shared by the gateway, web app, and engine. */
export function planImage(request: PlanRequest): PlanOutcome {
  const { recipe, inspection, limits } = request;
  const target = targetSize(recipe, inspection);
  const engine = chooseEngine(recipe.engine, { ...inspection, factor: target.factor }, limits);
  const rejection = checkInput(inspection) ?? findEngineRejection(engine, limits);
  if (rejection) return { ok: false, rejection };
  const plan = makePlan(request, target);
  const tooMuch = checkPlan(plan, target.factor, limits);
  if (!tooMuch) return { ok: true, plan };
  if (tooMuch.param !== 'scaleFactor') return { ok: false, rejection: tooMuch };
  const maxFactor = largestFactor(target.factor, (factor) => {
    const smaller = targetSize(withFactor(recipe, factor), inspection);
    return !checkPlan(makePlan({ ...request, recipe: { ...recipe, engine } }, smaller), factor, limits);
  });
  if (maxFactor === undefined) return { ok: false, rejection: tooMuch };
  const detail = `${tooMuch.detail} The largest scale factor that works is ${maxFactor}.`;
  return { ok: false, rejection: { ...tooMuch, detail, meta: { ...tooMuch.meta, maxFactor } } };
}

function makePlan({ recipe, inspection, limits, sourceBytes }: PlanRequest, target: Target): ImagePlan {
  const { width, height, crop, factor } = target;
  const used = crop ?? inspection;
  const scaling = { ...inspection, factor };
  const engine = chooseEngine(recipe.engine, scaling, limits);
  const auto = planAuto(recipe.engine, scaling, limits);
  const format = chooseFormat(recipe, inspection, target);
  const traits = formatTraits[format];
  const { quality, background, metadata, gps, targetBytes = null, grain, dpi, keepDpi } = recipe;
  const output: ImagePlan['output'] = {
    ...{ width, height, format, quality, targetBytes, background, metadata, gps, ...(grain && { grain }) },
    ...(dpi && { dpi }),
    ...(keepDpi !== undefined && { keepDpi }),
    bitDepth: traits.deep && inspection.bitDepth > 8 ? 16 : 8,
    frames: traits.animated ? inspection.frames : 1,
    ...(mayReturnSource(recipe, { engine, source: inspection, crop, output: target }) && {
      neverLarger: true as const,
    }),
  };
  const passes = planPasses({ engine, used, factor, ...output });
  const shrinks = !isAiEngine(engine) && width <= used.width && height <= used.height;
  const work = { engine, ...(auto && { auto }), source: inspection, crop, shrinks, ...passes, output };
  const estimateOf = (run: Work) => estimate(run, { speed: limits.speed, sourceBytes });
  const made = estimateOf(work);
  if (!auto?.drawings) return { ...work, estimate: made };
  const drawing = { ...work, engine: auto.drawings, ...planPasses({ engine: auto.drawings, used, factor, ...output }) };
  const peakMemoryBytes = Math.max(made.peakMemoryBytes, estimateOf(drawing).peakMemoryBytes);
  return { ...work, estimate: { ...made, peakMemoryBytes } };
}

function checkPlan(plan: ImagePlan, factor: number, limits: JobLimits): Rejection | undefined {
  const { output, estimate } = plan;
  return (
    checkOutput(output, limits.maxOutputPixels) ??
    checkEntitlement(plan, factor, limits.plan) ??
    checkMemory(estimate.peakMemoryBytes) ??
    checkTime(plan, factor, limits)
  );
}

function withFactor(recipe: Recipe, scaleFactor: number): Recipe {
  const rest = Object.entries(recipe).filter(([name]) => !(sizeFields as readonly string[]).includes(name));
  return { ...(Object.fromEntries(rest) as Recipe), scaleFactor };
}

/** Find the largest factor in hundredths below `asked` that a monotonic `accepts` allows, by bisection. */
function largestFactor(asked: number, accepts: (factor: number) => boolean): number | undefined {
  // AI may upscale an image that it may not shrink.
  const least = asked > 1 && accepts(1) ? 1 : factorRange.min;
  if (!accepts(least)) return undefined;
  let good = least * 100;
  let bad = Math.ceil(asked * 100);
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2);
    if (accepts(middle / 100)) good = middle;
    else bad = middle;
  }
  return good / 100;
}
