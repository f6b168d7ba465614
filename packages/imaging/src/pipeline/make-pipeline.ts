import { isCustomEngine } from '@uprez/contracts/policy/images/engines';
import { factorRange, formatTraits, strengthRange } from '@uprez/contracts/policy/images/image-formats';
import type { Recipe } from '@uprez/contracts/recipe/recipe';
import { sizeFields } from '@uprez/contracts/recipe/recipe-choices';
import type { CustomModelFacts, ImagePipeline, Inspection } from '@uprez/contracts/schemas/image-pipeline';
import { checkOptions } from './check-options.ts';
import { checkEntitlement, checkInput, checkMemory, checkOutput, checkTime } from './check-pipeline.ts';
import { chooseAutoRule, chooseEngine } from './choose-engine.ts';
import { chooseFormat, makesLossless } from './choose-format.ts';
import { choosePasses, findEngineRejection } from './choose-passes.ts';
import { computeTargetSize, type Target } from './compute-target-size.ts';
import { estimatePipeline, type Work } from './estimate.ts';
import type { JobLimits, PipelineOutcome, Rejection } from './job-limits.ts';
import { mayReturnSource } from './may-return-source.ts';

export type PipelineRequest = {
  recipe: Recipe;
  inspection: Inspection;
  limits: JobLimits;
  /** File size of the image. It indicates how detailed a photo is, which affects the size of the result. */
  sourceBytes?: number | undefined;
};

/** Creates the pipeline of an image, or returns a rejection. Shared by the gateway, web app, and engine. */
export function makePipeline(request: PipelineRequest): PipelineOutcome {
  const { recipe, inspection, limits } = request;
  const target = computeTargetSize(recipe, inspection);
  const engine = chooseEngine(recipe.engine, { ...inspection, factor: target.factor }, limits);
  const rejection =
    checkInput(inspection) ?? findEngineRejection(engine, limits) ?? checkOptions({ ...request, target });
  if (rejection) return { ok: false, rejection };
  const pipeline = assemblePipeline(request, target);
  const tooMuch = checkPipeline(pipeline, target.factor, limits);
  if (!tooMuch) return { ok: true, pipeline };
  if (tooMuch.param !== 'scaleFactor') return { ok: false, rejection: tooMuch };
  const step = engine === 'nearest' ? 1 : 0.01;
  const maxFactor = findLargestFactor(target.factor, step, (factor) => {
    const smaller = computeTargetSize(setScaleFactor(recipe, factor), inspection);
    return !checkPipeline(assemblePipeline({ ...request, recipe: { ...recipe, engine } }, smaller), factor, limits);
  });
  if (maxFactor === undefined) return { ok: false, rejection: tooMuch };
  const detail = `${tooMuch.detail} The largest scale factor that works is ${maxFactor}.`;
  return { ok: false, rejection: { ...tooMuch, detail, meta: { ...tooMuch.meta, maxFactor } } };
}

function assemblePipeline({ recipe, inspection, limits, sourceBytes }: PipelineRequest, target: Target): ImagePipeline {
  const { width, height, crop, factor } = target;
  const used = crop ?? inspection;
  const scaling = { ...inspection, factor };
  const engine = chooseEngine(recipe.engine, scaling, limits);
  const auto = chooseAutoRule(recipe.engine, scaling, limits);
  const format = chooseFormat(recipe, inspection, target);
  const traits = formatTraits[format];
  const isData = recipe.alpha === 'data' && inspection.hasAlpha;
  const {
    quality,
    background,
    metadata,
    gps,
    targetBytes = null,
    grain,
    detail,
    strength,
    mask,
    edges,
    dpi,
    keepDpi,
    printProfile,
  } = recipe;
  const output: ImagePipeline['output'] = {
    ...{ width, height, format, quality, targetBytes, background, metadata, gps, ...(grain && { grain }) },
    ...(detail === 'crisp' && { detail }),
    ...(strength !== undefined && strength < strengthRange.max && { strength }),
    ...(mask && { mask: true as const }),
    ...(edges === 'wrap' && { edges }),
    ...(dpi && { dpi }),
    ...(keepDpi !== undefined && { keepDpi }),
    ...(printProfile !== undefined && { printProfile }),
    ...(isData && { alpha: 'data' as const }),
    ...(makesLossless({ engine, ...(isData && { alpha: 'data' }) }, format) && { lossless: true as const }),
    bitDepth: traits.deep && printProfile === undefined && inspection.bitDepth > 8 ? 16 : 8,
    frames: traits.animated ? inspection.frames : 1,
    ...(mayReturnSource(recipe, { engine, source: inspection, crop, output: target }) && {
      neverLarger: true as const,
    }),
  };
  const custom = isCustomEngine(engine) ? limits.customModels?.[engine] : undefined;
  const passes = choosePasses({ engine, custom, used, factor, ...output });
  // Decoders weight colors by alpha when they shrink an image.
  const shrinks = engine === 'standard' && !isData && width <= used.width && height <= used.height;
  const work = {
    engine,
    ...(custom && { custom: pickFacts(custom) }),
    ...(auto && { auto }),
    source: inspection,
    crop,
    shrinks,
    ...passes,
    output,
  };
  const estimateOf = (run: Work) => estimatePipeline(run, { speed: limits.speed, sourceBytes });
  const made = estimateOf(work);
  if (!auto?.drawings) return { ...work, estimate: made };
  const drawing = {
    ...work,
    engine: auto.drawings,
    ...choosePasses({ engine: auto.drawings, used, factor, ...output }),
  };
  const peakMemoryBytes = Math.max(made.peakMemoryBytes, estimateOf(drawing).peakMemoryBytes);
  return { ...work, estimate: { ...made, peakMemoryBytes } };
}

/** Leaves out what describes a model to people, because it is stored with each job. */
const pickFacts = ({ sha256, sizeBytes, overlap, bytesPerPixel, pixelsPerSecond }: CustomModelFacts) => ({
  ...{ sha256, sizeBytes, overlap, bytesPerPixel, pixelsPerSecond },
});

function checkPipeline(pipeline: ImagePipeline, factor: number, limits: JobLimits): Rejection | undefined {
  const { output, estimate } = pipeline;
  return (
    checkOutput(output, limits.maxOutputPixels) ??
    checkEntitlement(pipeline, factor, limits.plan) ??
    checkMemory(estimate.peakMemoryBytes) ??
    checkTime(pipeline, factor, limits)
  );
}

function setScaleFactor(recipe: Recipe, scaleFactor: number): Recipe {
  const rest = Object.entries(recipe).filter(([name]) => !(sizeFields as readonly string[]).includes(name));
  return { ...(Object.fromEntries(rest) as Recipe), scaleFactor };
}

/**
 * Finds the largest factor below `asked` that `accepts` allows, in steps of 0.01 or 1. Uses bisection, so `accepts`
 * must be monotonic. Returns undefined if no factor is allowed.
 */
function findLargestFactor(asked: number, step: 0.01 | 1, accepts: (factor: number) => boolean): number | undefined {
  const perUnit = Math.round(1 / step);
  // Starts at 1 if possible, because AI may be allowed to upscale an image, but not to shrink it.
  const least = step === 1 || (asked > 1 && accepts(1)) ? 1 : factorRange.min;
  if (!accepts(least)) return undefined;
  let good = least * perUnit;
  let bad = Math.ceil(asked * perUnit);
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2);
    if (accepts(middle / perUnit)) good = middle;
    else bad = middle;
  }
  return good / perUnit;
}
