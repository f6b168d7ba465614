import { isAiEngine, isCustomEngine, type RequestedEngine } from '@uprez/contracts/policy/images/engines';
import {
  crispRange,
  defaultFormat,
  exactAlphaFormats,
  factorRange,
  formatTraits,
  type OutputFormat,
  qualityRange,
  type RequestedFormat,
} from '@uprez/contracts/policy/images/image-formats';
import { checkPlanLimits, type PlanRequest } from '@uprez/contracts/policy/plans/check-plan-limits';
import type { JobMeter } from '@uprez/contracts/policy/plans/meters';
import type { Plan } from '@uprez/contracts/policy/plans/plan-versions';
import { currentPlans } from '@uprez/contracts/policy/plans/plans';
import type { Recipe } from '@uprez/contracts/recipe/recipe';
import type { DetailMode } from '@uprez/contracts/recipe/recipe-choices';
import type { Engine } from '@uprez/contracts/schemas/jobs/estimate';
import { chooseEngine } from '@uprez/imaging/pipeline/choose-engine';
import { makesLossless } from '@uprez/imaging/pipeline/choose-format';

export type RecipeSettings = {
  scaleFactor: number;
  format: RequestedFormat;
  quality: number;
  engine: RequestedEngine;
  /** Look of images that are upscaled with AI. Defaults to `faithful`. */
  detail?: DetailMode | undefined;
  /** Strength of AI engines from 0 to 100. Defaults to 100. */
  strength?: number | undefined;
  /** Film grain from 0 to 100. Defaults to none. */
  grain?: number | undefined;
  /** What continues the image beyond its edges. Defaults to `clamp`. */
  edges?: Recipe['edges'];
  /** What the alpha channel means. Defaults to `transparency`. */
  alpha?: Recipe['alpha'];
  /** Maximum file size in bytes, for lossy formats. */
  targetBytes?: number | undefined;
  /**
   * Whether to return the original if a result without AI, with the same dimensions and format, would be a larger file.
   * Defaults to true.
   */
  neverLarger?: boolean | undefined;
};

export const defaultSettings: RecipeSettings = {
  scaleFactor: factorRange.default,
  format: 'auto',
  quality: qualityRange.default,
  engine: 'auto',
};

export type RecipeFieldProps = {
  settings: Omit<RecipeSettings, 'format'>;
  onChange: (change: Partial<RecipeSettings>) => void;
  ownPlan: Plan;
};

/** Stands in for any AI engine, where it doesn't matter which one `auto` uses. */
const autoEngine = 'photo-fast';

/**
 * Returns the engine for an image, with one AI engine for all that `auto` may use. Images of unknown size are treated
 * as small.
 */
export const predictEngine = (engine: RequestedEngine, factor: number, size = { width: 1, height: 1 }) =>
  chooseEngine(engine, { ...size, factor }, { autoEngine });

/**
 * Whether `crisp` is available: for images that are upscaled with a built-in model by less than 4, without seamless
 * edges or alpha as data.
 */
export function supportsCrisp(
  { engine, edges, alpha }: Pick<RecipeSettings, 'engine' | 'edges' | 'alpha'>,
  factor: number,
  size?: { width: number; height: number },
): boolean {
  if (edges === 'wrap' || alpha === 'data' || isCustomEngine(engine)) return false;
  const isInRange = factor > crispRange.above && factor < crispRange.below;
  return isInRange && isAiEngine(predictEngine(engine, factor, size));
}

/** Returns the meter whose plan limit applies to an engine. `auto` uses AI to upscale. */
export const meterOfEngine = (engine: RequestedEngine): JobMeter =>
  engine === 'auto' || isAiEngine(engine) ? 'ai' : 'standard';

/** Whether an engine supports a scale factor. `nearest` requires a whole one. */
export const supportsFactor = (engine: RequestedEngine, factor: number): boolean =>
  engine !== 'nearest' || (factor >= 1 && Number.isInteger(factor));

/** Whether an engine can keep textures seamless. Pixel art needs no context, and custom models lack it. */
export const supportsEdges = (engine: RequestedEngine): boolean => engine !== 'nearest' && !isCustomEngine(engine);

/**
 * Whether a format can be combined with what alpha means. Data in alpha requires a format that keeps the colors of
 * invisible pixels, which `auto` chooses.
 */
export const supportsAlpha = (format: RequestedFormat, alpha: RecipeSettings['alpha']): boolean =>
  alpha !== 'data' || format === 'auto' || (exactAlphaFormats as readonly RequestedFormat[]).includes(format);

/**
 * Whether the result is lossless at any quality. False if that depends on the image. `format`: the format of the result,
 * if it is known. `alpha`: absent if the image has no alpha channel, or may have none.
 */
export const isLossless = (
  { engine, alpha }: Pick<RecipeSettings, 'engine' | 'alpha'>,
  format: OutputFormat | undefined,
): boolean =>
  format
    ? !formatTraits[format].lossy || makesLossless({ engine, alpha }, format)
    : // `auto` then chooses only formats that are lossless.
      engine === 'nearest';

/**
 * Replaces a scale factor that the engine doesn't support by the nearest one that it does, and a format that can't store
 * alpha as data by `auto`.
 */
export function resolveConflicts<S extends RecipeSettings>(settings: S): S {
  const { engine, scaleFactor, format, alpha } = settings;
  return {
    ...settings,
    scaleFactor: supportsFactor(engine, scaleFactor) ? scaleFactor : Math.max(1, Math.round(scaleFactor)),
    format: supportsAlpha(format, alpha) ? format : defaultSettings.format,
  };
}

/**
 * Whether an engine is available. A built-in engine that the API doesn't list counts as available, and so does every
 * engine until the list is loaded.
 */
export const isEngineAvailable = (engine: RequestedEngine, engines: readonly Engine[] | undefined): boolean =>
  (engines?.find(({ name }) => name === engine)?.available ?? !(engines && isCustomEngine(engine))) !== false;

type SettingsLimits = { ownPlan: Plan; engines?: readonly Engine[] | undefined };

/**
 * Resets the format in version 0 settings if it is the former default. Version 0 stored the default as if the user had
 * chosen it.
 */
export const resetFormerDefaultFormat = <S extends RecipeSettings>(stored: S): S =>
  stored.format === defaultFormat ? { ...stored, format: defaultSettings.format } : stored;

/** Limits settings to what the plan allows and to available engines. Every plan allows what `auto` chooses. */
export function limitSettings<S extends RecipeSettings>(settings: S, { ownPlan, engines }: SettingsLimits): S {
  const { scaleFactor, format } = settings;
  const engine = isEngineAvailable(settings.engine, engines) ? settings.engine : defaultSettings.engine;
  return {
    ...settings,
    engine,
    scaleFactor: Math.min(scaleFactor, ownPlan.maxFactor[meterOfEngine(engine)]),
    format:
      format === 'auto' || checkPlanLimits(ownPlan, { what: 'format', format }).ok ? format : defaultSettings.format,
  };
}

export type PlanOffer = { name: string; price: number; maxFactor: Record<JobMeter, number> };

/**
 * Returns the smallest plan that allows a request. Returns undefined if `ownPlan` already allows the request or no plan
 * does.
 */
export function findUpgrade(ownPlan: Plan, request: PlanRequest): PlanOffer | undefined {
  const answer = checkPlanLimits(ownPlan, request);
  return answer.ok || answer.unlockedBy === null ? undefined : currentPlans[answer.unlockedBy];
}

export const findUpgradeName = (ownPlan: Plan, request: PlanRequest): string | undefined =>
  findUpgrade(ownPlan, request)?.name;
