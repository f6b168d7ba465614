import { requestedEngines } from '../policy/engines.ts';
import { defaultFormat, factorRange, qualityRange, requestedFormats } from '../policy/image-formats.ts';
import { limits } from '../policy/limits.ts';
import { retention } from '../policy/plans.ts';
import type { Recipe, RecipeField } from './recipe.ts';
import { fits, metadataChoices } from './recipe-choices.ts';

type Kind = 'whole' | 'decimal' | 'name' | 'colour' | 'flag';
/** `allowed`: a sentence for numbers, the values for names. `says`: what it does, for help texts. */
export type FieldFacts = { kind: Kind; allowed: string; says: string };

const count = (n: number) => n.toLocaleString('en-US');
const pixels = `a whole number of pixels from 1 to ${count(limits.outputSide)}`;
const hours = retention.resultMinutes / 60;

/** Every parameter of a recipe, as a form or a command line spells it. */
export const recipeFields: Record<RecipeField, FieldFacts> = {
  scaleFactor: {
    kind: 'decimal',
    allowed: `a number from ${factorRange.min} to ${factorRange.max}`,
    says: `times as large (default ${factorRange.default})`,
  },
  width: { kind: 'whole', allowed: pixels, says: 'width of the result' },
  height: { kind: 'whole', allowed: pixels, says: 'height of the result' },
  fit: { kind: 'name', allowed: fits.join(', '), says: 'how width and height are met (default fit)' },
  longSide: { kind: 'whole', allowed: pixels, says: 'length of the longer side' },
  shortSide: { kind: 'whole', allowed: pixels, says: 'length of the shorter side' },
  megapixels: {
    kind: 'decimal',
    allowed: `a number above 0, up to ${limits.outputPixels / 1e6}`,
    says: 'million pixels of the result',
  },
  engine: { kind: 'name', allowed: requestedEngines.join(', '), says: 'how it is enlarged (default auto)' },
  format: { kind: 'name', allowed: requestedFormats.join(', '), says: `file format (default ${defaultFormat})` },
  quality: {
    kind: 'whole',
    allowed: `a whole number from ${qualityRange.min} to ${qualityRange.max}`,
    says: `for jpeg, webp and avif (default ${qualityRange.default})`,
  },
  targetBytes: {
    kind: 'whole',
    allowed: `a whole number from ${count(limits.minTargetBytes)} to ${count(limits.maxTargetBytes)}`,
    says: 'largest file wanted: the quality is searched',
  },
  background: {
    kind: 'colour',
    allowed: 'a colour like #ffffff',
    says: 'under transparent parts in jpeg (default #ffffff)',
  },
  metadata: { kind: 'name', allowed: metadataChoices.join(', '), says: 'what is kept of EXIF and XMP (default none)' },
  gps: { kind: 'flag', allowed: 'true, false', says: 'keep the place too, with metadata all (default false)' },
  retention: {
    kind: 'decimal',
    allowed: `a number of hours from 0 to ${hours}`,
    says: 'hours until the result is deleted',
  },
};

/** Other spellings that callers use; `snake_case` and `kebab-case` of every name are understood besides. */
export const recipeAliases: Record<string, RecipeField> = {
  scale: 'scaleFactor',
  factor: 'scaleFactor',
  x: 'scaleFactor',
  w: 'width',
  h: 'height',
  bg: 'background',
  mp: 'megapixels',
  maxBytes: 'targetBytes',
};

/** Yes-or-no fields that stand for a value of another one; the place is never kept without its own word. */
export const recipeFlags: Record<string, { field: 'metadata'; yes: Recipe['metadata']; no: Recipe['metadata'] }> = {
  preserveMetadata: { field: 'metadata', yes: 'all', no: 'none' },
};

/** A recipe before the caller has said anything; the size is filled in last. */
export const recipeDefaults = {
  fit: 'fit',
  format: defaultFormat,
  quality: qualityRange.default,
  engine: 'auto',
  background: '#ffffff',
  metadata: 'none',
  gps: false,
  retention: hours,
} as const satisfies Recipe;
