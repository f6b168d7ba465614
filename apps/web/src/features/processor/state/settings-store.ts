import { factorRange, formatTraits } from '@uprez/contracts/policy/image-formats';
import type { Tier } from '@uprez/contracts/policy/plans';
import type { Recipe } from '@uprez/contracts/recipe/recipe';
import type { fits, metadataChoices } from '@uprez/contracts/recipe/recipe-choices';
import { recipeDefaults } from '@uprez/contracts/recipe/recipe-fields';
import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { onClear } from '../../../lib/session/account-data.ts';
import { defaultSettings, limitToPlan, type RecipeSettings } from '../../../ui/recipe/recipe-settings.ts';

/** An exact size. Numbers that are not entered yet are undefined. */
export type TargetSize =
  | { by: 'box'; width?: number | undefined; height?: number | undefined; fit: (typeof fits)[number] }
  | { by: 'longSide' | 'shortSide'; pixels: number | undefined }
  | { by: 'megapixels'; megapixels: number | undefined };
export type TargetWay = TargetSize['by'];

/** Ways to enter a size, in the order of the menu. */
export const targetWays = ['box', 'longSide', 'shortSide', 'megapixels'] as const satisfies readonly TargetWay[];

export function emptyTarget(by: TargetWay): TargetSize {
  if (by === 'box') return { by, fit: 'fit' };
  return by === 'megapixels' ? { by, megapixels: undefined } : { by, pixels: undefined };
}

/** The recipe fields of a size; undefined while a number is missing. */
export function targetFields(target: TargetSize) {
  if (target.by === 'box') {
    const { width, height } = target;
    if (!width && !height) return undefined;
    const fit = target.fit === 'cover' && !(width && height) ? 'fit' : target.fit;
    return { ...(width && { width }), ...(height && { height }), fit };
  }
  const value = target.by === 'megapixels' ? target.megapixels : target.pixels;
  return value ? { [target.by]: value } : undefined;
}

export type Settings = RecipeSettings & {
  target?: TargetSize | undefined;
  metadata: (typeof metadataChoices)[number];
  gps: boolean;
  /** Hours until the result is deleted. */
  retention: number;
};

const { metadata, gps, retention } = recipeDefaults;
const defaults: Settings = { ...defaultSettings, target: undefined, metadata, gps, retention };

export const useSettings = create<Settings>()(persist((): Settings => defaults, { name: 'uprez.settings' }));

export const resetSettings = () => useSettings.setState(defaults);
onClear(resetSettings);

export const isChanged = (settings: Settings) =>
  (Object.keys(defaults) as (keyof Settings)[]).some((name) => settings[name] !== defaults[name]);

/** The persisted settings, limited to what the plan and visitors are allowed. */
export function fitSettings(settings: Settings, { tier, signedIn }: { tier: Tier; signedIn: boolean }): Settings {
  const { scaleFactor, ...fitted } = limitToPlan(settings, tier);
  return {
    ...fitted,
    scaleFactor: signedIn ? scaleFactor : Math.min(scaleFactor, factorRange.signedOutMax),
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
