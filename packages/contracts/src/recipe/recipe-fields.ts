import { anyCustomEngine, requestedEngines } from '../policy/images/engines.ts';
import {
  crispRange,
  defaultFormat,
  dpiRange,
  factorRange,
  formatNames,
  formatTraits,
  grainRange,
  outputFormats,
  qualityRange,
  requestedFormats,
  strengthRange,
} from '../policy/images/image-formats.ts';
import { genericProfile, printFormats } from '../policy/images/print-profiles.ts';
import { limits } from '../policy/limits.ts';
import { retention } from '../policy/plans/plans.ts';
import { formatAlternatives, formatCount, formatList } from '../texts/format.ts';
import type { Recipe, RecipeField } from './recipe.ts';
import { alphaModes, detailModes, edgeModes, fitModes, metadataChoices } from './recipe-choices.ts';

type Kind = 'whole' | 'decimal' | 'name' | 'text' | 'color' | 'flag';
/**
 * `allowed`: the allowed values, as a phrase (`a color such as #ffffff`) or as a list (`true, false`). `description`: a
 * sentence without its period.
 */
export type FieldFacts = { kind: Kind; allowed: string; description: string };

/** Decimal places that numbers are rounded to. */
export const decimalPlaces = 6;

const pixels = `a whole number of pixels from 1 to ${formatCount(limits.outputSide)}`;
const hours = retention.resultMinutes / 60;
const lossyFormats = formatList(
  outputFormats.filter((name) => formatTraits[name].lossy).map((name) => formatNames[name]),
);

const printProfileFormats = formatAlternatives(printFormats.map((name) => formatNames[name]));

/** Every parameter of a recipe by its camelCase name. Help texts and the API reference derive from this table. */
export const recipeFields: Record<RecipeField, FieldFacts> = {
  scaleFactor: {
    kind: 'decimal',
    allowed: `a number from ${factorRange.min} to ${factorRange.max}`,
    description: `Scale factor for width and height, also as a fraction such as \`4/3\`, rounded to ${decimalPlaces} decimal places; ${factorRange.default} if no size is given`,
  },
  width: { kind: 'whole', allowed: pixels, description: 'Width of the result' },
  height: { kind: 'whole', allowed: pixels, description: 'Height of the result' },
  fit: {
    kind: 'name',
    allowed: fitModes.join(', '),
    description: 'How to fit the image into `width` and `height`: `cover` crops it, `inside` never makes it larger',
  },
  longSide: { kind: 'whole', allowed: pixels, description: 'Length of the longer side of the result' },
  shortSide: { kind: 'whole', allowed: pixels, description: 'Length of the shorter side of the result' },
  megapixels: {
    kind: 'decimal',
    allowed: `a number above 0, up to ${limits.outputPixels / 1e6}`,
    description: `Size of the result in millions of pixels, rounded to ${decimalPlaces} decimal places`,
  },
  engine: {
    kind: 'name',
    allowed: [...requestedEngines, anyCustomEngine].join(', '),
    description:
      'Engine that processes the image; `auto` upscales with a model for photos or for drawings, and uses `standard` otherwise; `custom:` and a name run a model that the operator has added',
  },
  detail: {
    kind: 'name',
    allowed: detailModes.join(', '),
    description: `Look of images that are upscaled with AI: \`faithful\` keeps all detail, \`crisp\` makes outlines sharper in less time, but may lose the finest detail; \`crisp\` requires an AI engine and a scale factor above ${crispRange.above} and below ${crispRange.below}; \`faithful\` by default`,
  },
  strength: {
    kind: 'whole',
    allowed: `a whole number from ${strengthRange.min} to ${strengthRange.max}`,
    description: `Strength of an AI engine, in percent; a smaller one blends its result with an image that is resampled without AI; ${strengthRange.default} by default`,
  },
  format: {
    kind: 'name',
    allowed: requestedFormats.join(', '),
    description: 'File format of the result; `auto` chooses one based on the image',
  },
  quality: {
    kind: 'whole',
    allowed: `a whole number from ${qualityRange.min} to ${qualityRange.max}`,
    description: `Compression quality of ${lossyFormats}; JPEG XL is lossless at ${qualityRange.max}`,
  },
  targetBytes: {
    kind: 'whole',
    allowed: `a whole number from ${formatCount(limits.minTargetBytes)} to ${formatCount(limits.maxTargetBytes)}`,
    description: 'Maximum file size in bytes; the quality is reduced until the result fits',
  },
  grain: {
    kind: 'whole',
    allowed: `a whole number from ${grainRange.min} to ${grainRange.max}`,
    description: 'Strength of film grain that is added when upscaling, to hide overly smooth surfaces; 0 adds none',
  },
  edges: {
    kind: 'name',
    allowed: edgeModes.join(', '),
    description:
      'How the borders are processed; `wrap` continues the image with its opposite border, which keeps seamless textures seamless; `clamp` by default',
  },
  alpha: {
    kind: 'name',
    allowed: alphaModes.join(', '),
    description:
      'Meaning of the alpha channel; `data` keeps all colors as they are where alpha is 0, resizes alpha without AI, and requires PNG, TIFF, WebP, or JPEG XL, which are then lossless; `transparency` by default',
  },
  neverLarger: {
    kind: 'flag',
    allowed: 'true, false',
    description:
      'Return your image without a charge if the result would have the same dimensions and format, is made without AI, and would be a larger file; false by default',
  },
  background: {
    kind: 'color',
    allowed: 'a color such as #ffffff',
    description: 'Background color for transparent areas in formats without transparency',
  },
  metadata: {
    kind: 'name',
    allowed: metadataChoices.join(', '),
    description:
      'Metadata to keep from EXIF, XMP, and IPTC; results of AI engines are also marked with `DigitalSourceType` of IPTC',
  },
  gps: { kind: 'flag', allowed: 'true, false', description: 'Also keep the location; requires `metadata` to be `all`' },
  dpi: {
    kind: 'whole',
    allowed: `a whole number from ${dpiRange.min} to ${formatCount(dpiRange.max)}`,
    description: 'Print resolution to write into the result, in dots per inch; the pixels stay the same',
  },
  printProfile: {
    kind: 'text',
    allowed: `${genericProfile}, or the name of a profile on the server`,
    description: `Convert the result to CMYK for print with this ICC profile, which is embedded; requires ${printProfileFormats}, and fills transparent areas with \`background\`; RGB by default`,
  },
  keepDpi: {
    kind: 'flag',
    allowed: 'true, false',
    description: "Keep the image's print resolution if `dpi` isn't set; true by default unless `metadata` is `none`",
  },
  retention: {
    kind: 'decimal',
    allowed: `a number of hours from 0 to ${hours}`,
    description: 'Hours until the result is deleted',
  },
};

/** Aliases of fields. Every name is also accepted in snake_case and kebab-case. */
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

/** Boolean parameters that set another field. They don't set `gps`, so they don't keep the location. */
export const recipeFlags: Record<string, { field: 'metadata'; yes: Recipe['metadata']; no: Recipe['metadata'] }> = {
  preserveMetadata: { field: 'metadata', yes: 'all', no: 'none' },
};

/** Defaults of the web app. The size has no default, because it can be set in several ways. */
export const recipeDefaults = {
  fit: 'fit',
  format: defaultFormat,
  quality: qualityRange.default,
  engine: 'auto',
  neverLarger: true,
  background: '#ffffff',
  metadata: 'none',
  gps: false,
  retention: hours,
} as const satisfies Recipe;
