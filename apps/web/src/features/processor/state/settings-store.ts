import {
  factorRange,
  formatTraits,
  grainRange,
  type OutputFormat,
  strengthRange,
} from '@uprez/contracts/policy/images/image-formats';
import type { Plan } from '@uprez/contracts/policy/plans/plan-versions';
import type { Recipe } from '@uprez/contracts/recipe/recipe';
import { alphaModes, type DetailMode, edgeModes, type metadataChoices } from '@uprez/contracts/recipe/recipe-choices';
import { recipeDefaults } from '@uprez/contracts/recipe/recipe-fields';
import type { Engine } from '@uprez/contracts/schemas/jobs/estimate';
import { chooseFormat } from '@uprez/imaging/pipeline/choose-format';
import { computeTargetSize } from '@uprez/imaging/pipeline/compute-target-size';
import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import type { SiteEngines } from '../../../lib/api/site-engines.ts';
import type { Size } from '../../../lib/format/format.ts';
import { previewPipeline } from '../../../lib/images/preview-pipeline.ts';
import { onClear } from '../../../lib/session/account-data.ts';
import {
  defaultSettings,
  isLossless,
  limitSettings,
  meterOfEngine,
  type RecipeSettings,
  resetFormerDefaultFormat,
  supportsCrisp,
  supportsEdges,
} from '../../../ui/recipe/recipe-settings.ts';
import type { SourceImage } from './image.ts';
import { type TargetSize, targetOfRecipe, toTargetFields } from './target-size.ts';

export type Settings = RecipeSettings & {
  target?: TargetSize | undefined;
  metadata: (typeof metadataChoices)[number];
  gps: boolean;
  /** Keeps the print resolution from the image's metadata. A print size sets a different resolution. */
  keepDpi: boolean;
  /** Hours until the result is deleted. */
  retention: number;
  /** Color (`#rrggbb`) behind transparent areas, for formats without transparency. */
  background: string;
  neverLarger: boolean;
  detail: DetailMode;
  /** Share of what AI adds that is kept, as a percentage. */
  strength: number;
  /** For upscaled images, as a percentage of the maximum strength. 0 means no grain. */
  grain: number;
  edges: (typeof edgeModes)[number];
  alpha: (typeof alphaModes)[number];
};

const { metadata, gps, retention, background, neverLarger } = recipeDefaults;
const defaults: Settings = {
  ...defaultSettings,
  ...{ metadata, gps, retention, background, neverLarger },
  keepDpi: true,
  detail: 'faithful',
  strength: strengthRange.max,
  grain: grainRange.min,
  edges: edgeModes[0],
  alpha: alphaModes[0],
  ...{ target: undefined, targetBytes: undefined },
};

/** Users need time to come back for the result. */
export const minRetentionHours = 1;

const migrate = (stored: unknown) => resetFormerDefaultFormat(stored as Settings);

export const useSettings = create<Settings>()(
  persist((): Settings => defaults, { name: 'uprez.settings', version: 1, migrate }),
);

export const resetSettings = () => useSettings.setState(defaults);
onClear(resetSettings);

export const hasChangedSettings = (settings: Settings) =>
  (Object.keys(defaults) as (keyof Settings)[]).some((name) => settings[name] !== defaults[name]);

type FitOptions = { ownPlan: Plan; signedIn: boolean; engines: readonly Engine[] | undefined };

/**
 * Limits the persisted settings to what the plan and the available engines allow. Signed-out users also have a lower
 * maximum scale factor.
 */
export function fitSettings(settings: Settings, { ownPlan, signedIn, engines }: FitOptions): Settings {
  const { scaleFactor, ...fitted } = limitSettings(settings, { ownPlan, engines });
  return {
    ...fitted,
    scaleFactor: signedIn ? scaleFactor : Math.min(scaleFactor, factorRange.signedOutMax),
    gps: settings.gps && settings.metadata === 'all',
  };
}

const sizeFieldsOf = ({ target, scaleFactor }: Settings) => (target ? toTargetFields(target) : { scaleFactor });

/** Returns the result's format. Undefined if the format depends on image data that the browser can't read. */
export function formatFor(settings: Settings, image: SourceImage): OutputFormat | undefined {
  const { size } = image;
  const target = size && computeTargetSize({ ...recipeDefaults, ...sizeFieldsOf(settings) }, size);
  return findResultFormat(settings, image, target);
}

/** Whether `crisp` is available for an image. False for animations, and while the scale factor is unknown. */
export function supportsCrispFor(settings: Settings, { size, traits, frames = 1 }: SourceImage): boolean {
  const { target, scaleFactor, engine, edges } = settings;
  if (frames > 1) return false;
  const alpha = traits?.hasAlpha === false ? undefined : settings.alpha;
  const fields = sizeFieldsOf(settings);
  const factor = target
    ? size && fields && computeTargetSize({ ...recipeDefaults, ...fields }, size).factor
    : scaleFactor;
  return factor !== undefined && supportsCrisp({ engine, edges, alpha }, factor, size);
}

/** Returns the settings that make a result lossless. Omits alpha unless the image is known to have an alpha channel. */
export const losslessSettingsOf = ({ engine, alpha }: Settings, { traits }: SourceImage) => ({
  engine,
  ...(traits?.hasAlpha && { alpha }),
});

const dpiFieldsOf = (target: TargetSize | undefined) =>
  target?.by === 'print' && target.dpi ? { dpi: target.dpi } : {};

/** Converts the settings to a recipe for an image. Undefined while a size is incomplete. */
export function recipeOf(settings: Settings, image: SourceImage): Recipe | undefined {
  const { scaleFactor: _, target, targetBytes, detail, strength, grain, edges, alpha, keepDpi, ...rest } = settings;
  const size = sizeFieldsOf(settings);
  const format = formatFor(settings, image);
  const isLossy = format !== undefined && !isLossless(losslessSettingsOf(settings, image), format);
  return (
    size && {
      ...recipeDefaults,
      ...rest,
      ...size,
      ...(isLossy && targetBytes && { targetBytes }),
      ...(detail === 'crisp' && supportsCrispFor(settings, image) && { detail }),
      ...(strength < strengthRange.max && meterOfEngine(rest.engine) === 'ai' && { strength }),
      ...(grain > 0 && rest.engine !== 'nearest' && { grain }),
      ...(edges !== edgeModes[0] && supportsEdges(rest.engine) && { edges }),
      ...(alpha !== alphaModes[0] && { alpha }),
      ...dpiFieldsOf(target),
      ...(!keepDpi && rest.metadata !== 'none' && { keepDpi }),
    }
  );
}

/** Returns the settings that a recipe was made from, but keeps the result for at least `minRetentionHours`. */
export function settingsOfRecipe(recipe: Recipe): Settings {
  const { format, quality, engine, targetBytes, background, metadata, gps, retention: hours } = recipe;
  return {
    ...{ format, quality, engine, targetBytes, background, metadata, gps },
    scaleFactor: recipe.scaleFactor ?? defaults.scaleFactor,
    target: targetOfRecipe(recipe),
    detail: recipe.detail ?? defaults.detail,
    strength: recipe.strength ?? defaults.strength,
    grain: recipe.grain ?? defaults.grain,
    edges: recipe.edges ?? defaults.edges,
    alpha: recipe.alpha ?? defaults.alpha,
    neverLarger: recipe.neverLarger ?? false,
    keepDpi: recipe.keepDpi ?? defaults.keepDpi,
    retention: Math.max(minRetentionHours, hours),
  };
}

type AcceptOptions = { ownPlan: Plan; engines: SiteEngines | undefined };

/** Whether the server would accept a job with these settings, as far as the browser knows. `size`: of the image. */
export function isAccepted(settings: Settings, image: SourceImage & { size: Size }, options: AcceptOptions): boolean {
  const { source, ...known } = image;
  const recipe = recipeOf(settings, image);
  return recipe !== undefined && previewPipeline({ ...known, ...options, recipe, mediaType: source.type }).ok;
}

/** Returns the form fields for a recipe. Omits fields that have no effect, because the server rejects them. */
export function toFormFields(recipe: Recipe): Record<string, string | number | boolean> {
  const { fit, gps, background, quality, neverLarger, ...rest } = recipe;
  const traits = recipe.format === 'auto' ? undefined : formatTraits[recipe.format];
  return {
    ...rest,
    ...((recipe.width || recipe.height) && { fit }),
    ...(gps && { gps }),
    ...(neverLarger === false && { neverLarger }),
    ...(traits?.alpha === false && background !== recipeDefaults.background && { background }),
    ...(traits?.lossy !== false && { quality }),
  };
}

function findResultFormat(
  { format, engine, alpha }: Pick<Settings, 'format' | 'engine' | 'alpha'>,
  image: SourceImage,
  size: Size | undefined,
): OutputFormat | undefined {
  if (format !== 'auto') return format;
  const { traits, frames = 1 } = image;
  return size && traits && chooseFormat({ format, engine, alpha }, { ...traits, frames }, size);
}
