import type { ErrorCode } from '@uprez/contracts/errors/error-codes';
import { isAiEngine, type JobEngine } from '@uprez/contracts/policy/images/engines';
import { formatNames, formatTraits, type OutputFormat } from '@uprez/contracts/policy/images/image-formats';
import { limits } from '@uprez/contracts/policy/limits';
import { checkPlanLimits, type PlanRejection } from '@uprez/contracts/policy/plans/check-plan-limits';
import type { Plan } from '@uprez/contracts/policy/plans/plan-versions';
import { currentPlans } from '@uprez/contracts/policy/plans/plans';
import type { ImagePipeline, Inspection } from '@uprez/contracts/schemas/image-pipeline';
import { formatAlternatives, formatCount, formatSeconds, formatSecondsAbove } from '@uprez/contracts/texts/format';
import { estimateSeconds } from './estimate.ts';
import type { JobLimits, Rejection } from './job-limits.ts';

const formatMegapixels = (n: number) => `${formatCount(Math.round(n / 1e5) / 10)} megapixels`;

/**
 * Returns a message that tells the user to resize the image to the largest size within the input limits that keeps its
 * aspect ratio.
 */
function makeResizeAdvice({ width, height }: Pick<Inspection, 'width' | 'height'>): string {
  const factor = Math.min(limits.inputSide / Math.max(width, height), Math.sqrt(limits.inputPixels / (width * height)));
  const [w, h] = [width, height].map((side) => formatCount(Math.max(1, Math.floor(side * factor))));
  return `Resize it to at most ${w} x ${h} pixels first.`;
}

/** Whether an error code means that the image itself exceeds a limit, regardless of the recipe. */
export const isInputLimit = (code: string): boolean =>
  ['side_too_long', 'too_many_pixels', 'too_many_frames'].includes(code);

export function checkInput(image: Pick<Inspection, 'width' | 'height' | 'frames'>): Rejection | undefined {
  const { width, height, frames } = image;
  const side = Math.max(width, height);
  const size = `${formatCount(width)} x ${formatCount(height)} pixels`;
  if (side > limits.inputSide)
    return {
      code: 'side_too_long',
      detail: `One side of the image is ${formatCount(side)} pixels long. The maximum is ${formatCount(limits.inputSide)}. ${makeResizeAdvice(image)}`,
      meta: { limit: limits.inputSide, value: side },
    };
  if (width * height > limits.inputPixels)
    return {
      code: 'too_many_pixels',
      detail: `The image is ${size}. The maximum is ${formatMegapixels(limits.inputPixels)}. ${makeResizeAdvice(image)}`,
      meta: { limit: limits.inputPixels, value: width * height },
    };
  if (frames > limits.frames || (frames > 1 && frames * width * height > limits.animationPixels))
    return {
      code: 'too_many_frames',
      detail: `The animation has ${formatCount(frames)} frames of ${size}. The maximum is ${formatCount(limits.frames)} frames and ${formatMegapixels(limits.animationPixels)} in total.`,
      meta: { limit: limits.frames, value: frames },
    };
  return undefined;
}

/** Creates a rejection for `scaleFactor`, because a smaller factor may be accepted. */
const makeFactorRejection = (code: ErrorCode, detail: string, meta: Rejection['meta']): Rejection => ({
  code,
  detail,
  param: 'scaleFactor',
  meta,
});

type Output = Pick<ImagePipeline['output'], 'width' | 'height' | 'format' | 'frames'>;

/** Checks the output against the limits of its format, then against the caller's limits. */
export function checkOutput({ width, height, format, frames }: Output, maxOutputPixels: number): Rejection | undefined {
  const size = `The result would be ${formatCount(width)} x ${formatCount(height)} pixels`;
  const side = Math.max(width, height);
  const { maxSide, maxPixels = Number.POSITIVE_INFINITY } = formatTraits[format];
  if (side > maxSide) {
    const detail = `${size}. ${formatNames[format]} allows up to ${formatCount(maxSide)} pixels per side.`;
    return makeFactorRejection('output_too_large', detail, { limit: maxSide, value: side });
  }
  const pixels = width * height * frames;
  if (pixels > maxPixels) {
    const detail = `${size} (${formatMegapixels(pixels)}). The maximum for ${formatNames[format]} is ${formatMegapixels(maxPixels)}.`;
    return makeFactorRejection('output_too_large', detail, { limit: maxPixels, value: pixels });
  }
  const most = Math.min(maxOutputPixels, frames > 1 ? limits.animationOutputPixels : limits.outputPixels);
  if (pixels <= most) return undefined;
  const inFrames = frames > 1 ? ` in ${formatCount(frames)} frames` : '';
  const detail = `${size}${inFrames} (${formatMegapixels(pixels)}). The maximum is ${formatMegapixels(most)}.`;
  return makeFactorRejection('output_too_large', detail, { limit: most, value: pixels });
}

/** Checks the estimated peak memory against the limit of the child process. */
export function checkMemory(peakBytes: number): Rejection | undefined {
  const limit = limits.childMemoryBytes;
  if (peakBytes <= limit) return undefined;
  const megabytes = (bytes: number) => `${formatCount(Math.round(bytes / 1024 / 1024))} MB`;
  const detail = `Processing would need about ${megabytes(peakBytes)} of memory. The maximum is ${megabytes(limit)}. PNG and JPEG need less than other formats.`;
  return makeFactorRejection('output_too_large', detail, { limit, value: Math.round(peakBytes) });
}

type TimeLimits = Pick<JobLimits, 'plan' | 'maxJobSeconds' | 'countsFullSize' | 'enginesAvailable'>;

/**
 * Checks the estimated time against the operator's limit, the limit of the caller's plan, and the limit for shrinking
 * with AI. If the time depends on the detail of the image, checks the shortest time. The engine measures the detail and
 * checks the time again.
 */
export function checkTime(pipeline: ImagePipeline, factor: number, caller: TimeLimits): Rejection | undefined {
  const { engine } = pipeline;
  const { plan, maxJobSeconds: limit } = caller;
  const seconds = Math.ceil(caller.countsFullSize ? pipeline.estimate.seconds : estimateSeconds(pipeline));
  if (plan && isAiEngine(engine) && Math.round(factor * 100) < 100 && seconds > limits.aiShrinkSeconds)
    return makeShrinkRejection(seconds);
  const faster = isAiEngine(engine) ? ` Use "${fasterEngineThan(engine, caller)}", which is faster.` : '';
  if (seconds > limit) {
    const detail = `${describeTime(seconds, limit)} The maximum is ${formatSeconds(limit)}.${faster}`;
    return makeFactorRejection('job_too_long', detail, { limit, value: seconds });
  }
  const time = plan && checkPlanLimits(plan, { what: 'time', seconds });
  if (!time || time.ok) return undefined;
  const allowed = Number(time.limit);
  const detail = `${describeTime(seconds, allowed)} Your plan allows up to ${formatSeconds(allowed)}.${formatUpgradeHint(time, 'longer jobs')}`;
  return makeFactorRejection(time.code, `${detail}${faster}`, metaOf(time));
}

const describeTime = (seconds: number, limit: number) =>
  `Processing would take about ${formatSecondsAbove(seconds, limit)}.`;

/**
 * Creates the rejection of a slow job that shrinks with AI. Such a job takes long even for a small result, because a
 * network upscales the image first.
 */
const makeShrinkRejection = (value: number): Rejection => ({
  code: 'job_too_long',
  detail: `${describeTime(value, limits.aiShrinkSeconds)} The maximum is ${formatSeconds(limits.aiShrinkSeconds)} when AI makes an image smaller. Use "standard", which resizes in one pass.`,
  param: 'engine',
  allowed: ['auto', 'standard'],
  hint: 'Set "engine" to "standard" or "auto" for results that are smaller than the image.',
  meta: { limit: limits.aiShrinkSeconds, value },
});

const fasterEngines: Partial<Record<JobEngine, JobEngine>> = { photo: 'photo-fast', art: 'art-fast' };

function fasterEngineThan(engine: JobEngine, { enginesAvailable }: Pick<JobLimits, 'enginesAvailable'>): JobEngine {
  const faster = fasterEngines[engine];
  return faster && (enginesAvailable?.includes(faster) ?? true) ? faster : 'standard';
}

type EntitledPipeline = Pick<ImagePipeline, 'engine' | 'output'>;

/** Checks the factor and the format against the caller's plan. */
export function checkEntitlement(
  { engine, output }: EntitledPipeline,
  factor: number,
  plan?: Plan,
): Rejection | undefined {
  if (plan === undefined) return undefined;
  const [by, kind] = isAiEngine(engine) ? (['ai', 'AI'] as const) : (['standard', 'the standard engine'] as const);
  const upscaling = checkPlanLimits(plan, { what: 'scale', by, factor });
  if (!upscaling.ok) {
    const detail = `The scale is ${Math.round(factor * 100) / 100}x. Your plan allows up to ${upscaling.limit}x with ${kind}.`;
    return makeFactorRejection(
      upscaling.code,
      `${detail}${formatUpgradeHint(upscaling, 'larger scales')}`,
      metaOf(upscaling),
    );
  }
  const format = checkPlanLimits(plan, { what: 'format', format: output.format });
  if (format.ok) return undefined;
  const { code, allowed = [] } = format;
  const list = formatAlternatives(allowed.map((name) => formatNames[name as OutputFormat]));
  const detail = `Your plan doesn't include ${formatNames[output.format]}. Use ${list}.${formatUpgradeHint(format, 'all formats')}`;
  return { code, detail, param: 'format', allowed: format.allowed, meta: metaOf(format) };
}

const formatUpgradeHint = ({ unlockedBy }: PlanRejection, gain: string) =>
  unlockedBy ? ` Upgrade to ${currentPlans[unlockedBy].name} for ${gain}.` : '';
const metaOf = ({ limit, value, unlockedBy }: PlanRejection) => ({ limit, value, ...(unlockedBy && { unlockedBy }) });
