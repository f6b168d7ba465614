import type { RequestedEngine } from '@uprez/contracts/policy/engines';
import { defaultFormat, factorRange, type OutputFormat, qualityRange } from '@uprez/contracts/policy/image-formats';
import { may, type Request } from '@uprez/contracts/policy/may';
import type { JobMeter } from '@uprez/contracts/policy/meters';
import { plans, type Tier } from '@uprez/contracts/policy/plans';

export type RecipeSettings = { scaleFactor: number; format: OutputFormat; quality: number; engine: RequestedEngine };

export const defaultSettings: RecipeSettings = {
  scaleFactor: factorRange.default,
  format: defaultFormat,
  quality: qualityRange.default,
  engine: 'auto',
};

export type RecipeFieldProps = {
  settings: RecipeSettings;
  onChange: (change: Partial<RecipeSettings>) => void;
  tier: Tier;
};

/** The plan limit that applies to an engine. `auto` uses AI to upscale. */
export const limitedBy = (engine: RequestedEngine): JobMeter => (engine === 'standard' ? 'standard' : 'ai');

/** The settings, limited to what the plan allows. */
export function limitToPlan<S extends RecipeSettings>(settings: S, tier: Tier): S {
  const { scaleFactor, engine, format } = settings;
  return {
    ...settings,
    scaleFactor: Math.min(scaleFactor, plans[tier].maxFactor[limitedBy(engine)]),
    format: may(tier, { what: 'format', format }).ok ? format : defaultFormat,
  };
}

/** Name of the smallest plan that allows a request; undefined if `tier` already allows it or no plan does. */
export function smallestPlanFor(tier: Tier, request: Request): string | undefined {
  const answer = may(tier, request);
  return answer.ok || answer.unlockedBy === null ? undefined : plans[answer.unlockedBy].name;
}
