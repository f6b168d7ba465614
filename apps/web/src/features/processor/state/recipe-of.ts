import { isAiEngine } from '@uprez/contracts/policy/engines';
import { defaultFormat, formatTraits } from '@uprez/contracts/policy/image-formats';
import { may } from '@uprez/contracts/policy/may';
import type { JobMeter } from '@uprez/contracts/policy/meters';
import { plans, type Tier } from '@uprez/contracts/policy/plans';
import type { Recipe } from '@uprez/contracts/recipe/recipe';
import { recipeDefaults } from '@uprez/contracts/recipe/recipe-fields';
import { maxFactor, type Settings } from './settings-store.ts';
import { targetFields } from './target.ts';

/** The plan limit that applies to an engine when it upscales. */
export const meterOfEngine = ({ engine }: Pick<Settings, 'engine'>): JobMeter =>
  engine === 'auto' || isAiEngine(engine) ? 'ai' : 'standard';

/** The persisted settings, limited to what the plan allows. */
export function fitSettings(settings: Settings, { tier, signedIn }: { tier: Tier; signedIn: boolean }): Settings {
  const limit = plans[tier].maxFactor[meterOfEngine(settings)];
  const most = signedIn ? limit : Math.min(limit, maxFactor(false));
  return {
    ...settings,
    scaleFactor: Math.min(settings.scaleFactor, most),
    format: may(tier, { what: 'format', format: settings.format }).ok ? settings.format : defaultFormat,
    gps: settings.gps && settings.metadata === 'all',
  };
}

/** The recipe of the settings; undefined while a size is incomplete. */
export function recipeOf(settings: Settings): Recipe | undefined {
  const { scaleFactor, target, ...rest } = settings;
  const size = target ? targetFields(target) : { scaleFactor };
  return size && { ...recipeDefaults, ...rest, ...size };
}

/** The form fields of a recipe. Fields without effect are omitted, because the server rejects them. */
export function recipeFields(recipe: Recipe): Record<string, string | number | boolean> {
  const { fit, gps, background: _, quality, ...rest } = recipe;
  return {
    ...rest,
    ...((recipe.width || recipe.height) && { fit }),
    ...(gps && { gps }),
    ...((recipe.format === 'auto' || formatTraits[recipe.format].lossy) && { quality }),
  };
}
