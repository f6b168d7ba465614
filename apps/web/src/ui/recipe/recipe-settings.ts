import { type EngineName, isAiEngine, type RequestedEngine } from '@uprez/contracts/policy/images/engines';
import {
  defaultFormat,
  factorRange,
  qualityRange,
  type RequestedFormat,
} from '@uprez/contracts/policy/images/image-formats';
import { checkPlanLimits, type PlanRequest } from '@uprez/contracts/policy/plans/check-plan-limits';
import type { JobMeter } from '@uprez/contracts/policy/plans/meters';
import type { Plan } from '@uprez/contracts/policy/plans/plan-versions';
import { currentPlans } from '@uprez/contracts/policy/plans/plans';
import type { Recipe } from '@uprez/contracts/recipe/recipe';
import type { Engine } from '@uprez/contracts/schemas/jobs/estimate';

export type RecipeSettings = {
  scaleFactor: number;
  format: RequestedFormat;
  quality: number;
  engine: RequestedEngine;
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

/**
 * Returns the settings of a job for use with another image. Rounds the scale factor to the nearest whole factor that
 * the web app offers.
 */
export const settingsOfJob = ({
  scaleFactor,
  format,
  quality,
  engine,
  edges,
  alpha,
}: RecipeSettings): RecipeSettings => ({
  scaleFactor: Math.min(factorRange.webMax, Math.max(1, Math.round(scaleFactor))),
  ...{ format, quality, engine, edges, alpha },
});

/** Returns the meter whose plan limit applies to an engine. `auto` uses AI to upscale. */
export const meterOfEngine = (engine: RequestedEngine): JobMeter =>
  engine === 'auto' || isAiEngine(engine) ? 'ai' : 'standard';

/** Whether an engine can make images of a scale factor. `nearest` needs a whole one. */
export const makesFactor = (engine: EngineName, factor: number): boolean =>
  engine !== 'nearest' || (factor >= 1 && Number.isInteger(factor));

/** Whether an engine is available. An engine that the API doesn't list counts as available. */
export const isEngineAvailable = (engine: RequestedEngine, engines: readonly Engine[] | undefined): boolean =>
  engines?.find(({ name }) => name === engine)?.available !== false;

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
