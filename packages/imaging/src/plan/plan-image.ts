import { isAiEngine } from '@uprez/contracts/engines';
import type { ImagePlan, Inspection } from '@uprez/contracts/image-plan';
import type { Recipe } from '@uprez/contracts/recipe';
import { checkMemory, checkTime } from './check-estimate.ts';
import { checkInput } from './check-input.ts';
import { checkOutput } from './check-output.ts';
import { chooseEngine, findEngineRefusal } from './choose-engine.ts';
import { chooseTile, countTiles } from './choose-tile.ts';
import { countPasses } from './count-passes.ts';
import { estimate } from './estimate.ts';
import type { JobLimits, PlanOutcome, Refusal } from './job-limits.ts';
import { largestFactor } from './largest-factor.ts';
import { outputSize } from './output-size.ts';

export type PlanRequest = { recipe: Recipe; inspection: Inspection; limits: JobLimits };

/**
 * Decide how a picture becomes what a recipe asks for, or say why it cannot: checked before any pixel is decoded, in
 * the order input, engine, output size, time. Pure; the gateway, the web page and the engine's child share it.
 */
export function planImage(request: PlanRequest): PlanOutcome {
  const { recipe, inspection, limits } = request;
  const engine = chooseEngine(recipe.engine, recipe.scaleFactor, limits);
  const refusal = checkInput(inspection) ?? findEngineRefusal(engine, limits);
  if (refusal) return { ok: false, refusal };
  const plan = makePlan(request, recipe.scaleFactor);
  const tooMuch = checkPlan(plan, limits);
  if (!tooMuch) return { ok: true, plan };
  const maxFactor = largestFactor(recipe.scaleFactor, (factor) => !checkPlan(makePlan(request, factor), limits));
  return { ok: false, refusal: withFactor(tooMuch, maxFactor) };
}

function makePlan({ recipe, inspection, limits }: PlanRequest, factor: number): ImagePlan {
  const engine = chooseEngine(recipe.engine, recipe.scaleFactor, limits);
  const output = { ...outputSize(inspection, factor), format: recipe.format, quality: recipe.quality };
  const tile = isAiEngine(engine) ? chooseTile(engine, inspection) : null;
  const passes = countPasses(engine);
  const tiles = tile ? passes * countTiles(inspection, tile.core) : 0;
  const work = { engine, source: inspection, tile, tiles, output };
  return { ...work, passes, estimate: estimate(work, limits.speed) };
}

function checkPlan({ output, estimate }: ImagePlan, limits: JobLimits): Refusal | undefined {
  return (
    checkOutput(output, limits.maxOutputPixels) ??
    checkMemory(estimate.peakMemoryBytes) ??
    checkTime(Math.ceil(estimate.seconds), limits.maxJobSeconds)
  );
}

function withFactor(refusal: Refusal, maxFactor: number | undefined): Refusal {
  const advice = maxFactor === undefined ? '' : ` The largest factor that works is ${maxFactor}.`;
  return {
    ...refusal,
    detail: `${refusal.detail}${advice} Nothing was charged.`,
    meta: maxFactor === undefined ? refusal.meta : { ...refusal.meta, maxFactor },
  };
}
