import { isAiEngine, isCustomEngine } from '@uprez/contracts/policy/images/engines';
import {
  crispRange,
  exactAlphaFormats,
  formatNames,
  type OutputFormat,
  strengthRange,
} from '@uprez/contracts/policy/images/image-formats';
import { genericProfile, printFormats } from '@uprez/contracts/policy/images/print-profiles';
import { fitsMask, readMaskSize } from '@uprez/contracts/recipe/mask';
import type { Recipe } from '@uprez/contracts/recipe/recipe';
import { sizeFields } from '@uprez/contracts/recipe/recipe-choices';
import type { Inspection } from '@uprez/contracts/schemas/image-pipeline';
import { formatAlternatives, formatCount } from '@uprez/contracts/texts/format';
import { chooseFormat } from './choose-format.ts';
import type { Target } from './compute-target-size.ts';
import type { JobLimits, Rejection } from './job-limits.ts';

type OptionsInput = {
  recipe: Recipe;
  inspection: Inspection;
  target: Target;
  limits: Pick<JobLimits, 'printProfiles'>;
};

/** Checks that the options of a recipe can be combined for an image. */
export function checkOptions(input: OptionsInput): Rejection | undefined {
  return (
    (input.recipe.engine === 'nearest' ? checkNearest(input) : undefined) ??
    checkEdges(input) ??
    checkAlpha(input) ??
    checkDetail(input) ??
    checkStrength(input.recipe) ??
    checkMask(input) ??
    checkPrintProfile(input)
  );
}

/** A part of a seamless texture isn't seamless. */
function checkEdges({ recipe, target: { crop } }: OptionsInput): Rejection | undefined {
  if (recipe.edges !== 'wrap') return undefined;
  if (isCustomEngine(recipe.engine))
    return {
      code: 'conflicting_params',
      detail: '"edges" can\'t be "wrap" with a custom model.',
      param: 'edges',
      allowed: ['clamp'],
      hint: 'Set "edges" to "clamp", or use another engine.',
      meta: { limit: 'clamp', value: 'wrap' },
    };
  if (!crop) return undefined;
  return {
    code: 'conflicting_params',
    detail: '"edges" can\'t be "wrap" if "cover" crops the image, because its borders would no longer match.',
    param: 'edges',
    allowed: ['clamp'],
    hint: 'Set "edges" to "clamp", or use a size with the same aspect ratio as the image.',
    meta: { limit: 'clamp', value: 'wrap' },
  };
}

function checkAlpha({ recipe, inspection, target }: OptionsInput): Rejection | undefined {
  if (recipe.alpha !== 'data' || !inspection.hasAlpha) return undefined;
  const format = chooseFormat(recipe, inspection, target);
  if ((exactAlphaFormats as readonly OutputFormat[]).includes(format)) return undefined;
  const names = formatAlternatives(exactAlphaFormats.map((name) => formatNames[name]));
  return {
    code: 'conflicting_params',
    detail: `${formatNames[format]} can't keep an alpha channel of data. Set "format" to ${names}.`,
    param: 'format',
    allowed: exactAlphaFormats,
    hint: 'Use a format in "allowed", or set "alpha" to "transparency".',
    meta: { limit: exactAlphaFormats.join(', '), value: format },
  };
}

/**
 * `crisp` is ignored where `auto` uses the standard engine, and for animations, because only the image decides that.
 */
function checkDetail({ recipe, inspection, target: { factor } }: OptionsInput): Rejection | undefined {
  const { detail, engine, edges, alpha } = recipe;
  if (detail !== 'crisp') return undefined;
  const { above, below } = crispRange;
  const isAvailable = factor < below && (engine === 'auto' || (isAiEngine(engine) && factor > above));
  const reject = (reason: string, needs: string, meta: Rejection['meta']): Rejection => ({
    code: 'conflicting_params',
    detail: `"crisp" ${reason} Use "faithful".`,
    param: 'detail',
    allowed: ['faithful'],
    hint: `Set "detail" to "faithful", or ${needs}.`,
    meta,
  });
  const range = `an AI engine and a scale factor above ${above} and below ${below}`;
  const value = Math.round(factor * 100) / 100;
  if (!isAvailable)
    return reject(`requires ${range}. The scale factor is ${value}x with "${engine}".`, `use ${range}`, {
      ...{ limit: below, value },
    });
  if (isCustomEngine(engine))
    return reject("isn't available for custom models.", 'use another engine', { limit: 'faithful', value: engine });
  if (edges === 'wrap')
    return reject('can\'t be combined with "edges" set to "wrap".', 'set "edges" to "clamp"', {
      limit: 'clamp',
      value: edges,
    });
  if (alpha === 'data' && inspection.hasAlpha)
    return reject('can\'t be combined with "alpha" set to "data".', 'set "alpha" to "transparency"', {
      ...{ limit: 'transparency', value: alpha },
    });
  return undefined;
}

/** Ignored where `auto` uses the standard engine. */
function checkStrength({ strength = strengthRange.max, engine }: Recipe): Rejection | undefined {
  if (strength === strengthRange.max || engine === 'auto' || isAiEngine(engine)) return undefined;
  return {
    code: 'conflicting_params',
    detail: `"strength" requires an AI engine, but "engine" is "${engine}".`,
    param: 'strength',
    allowed: String(strengthRange.max),
    hint: 'Leave out "strength", or use an AI engine.',
    meta: { limit: strengthRange.max, value: strength },
  };
}

/** Ignored where `auto` uses the standard engine. */
function checkMask({ recipe: { mask, engine }, inspection }: OptionsInput): Rejection | undefined {
  if (!mask) return undefined;
  if (engine !== 'auto' && !isAiEngine(engine))
    return {
      code: 'conflicting_params',
      detail: `"mask" requires an AI engine, but "engine" is "${engine}".`,
      param: 'mask',
      allowed: 'no mask',
      hint: 'Leave out "mask", or use an AI engine.',
      meta: { limit: 'none', value: engine },
    };
  const size = readMaskSize(mask);
  if (fitsMask(size, inspection)) return undefined;
  return {
    code: 'invalid_parameter',
    detail: `"mask" must have the size of the image, or a smaller size with the same aspect ratio. It has ${formatSize(size)}, but the image has ${formatSize(inspection)}.`,
    param: 'mask',
    allowed: `${formatSize(inspection)}, or smaller with the same aspect ratio`,
    meta: { limit: formatSize(inspection), value: formatSize(size) },
  };
}

/** CMYK files with an alpha channel aren't common, so alpha can't be kept. */
function checkPrintProfile({ recipe, inspection, target, limits }: OptionsInput): Rejection | undefined {
  const { printProfile, alpha } = recipe;
  if (printProfile === undefined) return undefined;
  const names = limits.printProfiles ?? [printProfile, genericProfile];
  if (!names.includes(printProfile))
    return {
      code: 'invalid_parameter',
      detail: `"${printProfile}" isn't a CMYK profile on this server. Use ${formatAlternatives(names)}.`,
      param: 'printProfile',
      allowed: names,
      meta: { limit: names.join(', '), value: printProfile },
    };
  const format = chooseFormat(recipe, inspection, target);
  if (!(printFormats as readonly OutputFormat[]).includes(format))
    return {
      code: 'conflicting_params',
      detail: `${formatNames[format]} results can't be CMYK. Set "format" to ${formatAlternatives(printFormats.map((name) => formatNames[name]))}.`,
      param: 'format',
      allowed: printFormats,
      hint: 'Use a format in "allowed", or leave out the CMYK profile.',
      meta: { limit: printFormats.join(', '), value: format },
    };
  if (alpha !== 'data' || !inspection.hasAlpha) return undefined;
  return {
    code: 'conflicting_params',
    detail: 'CMYK results have no alpha channel, so "alpha" can\'t be "data".',
    param: 'alpha',
    allowed: ['transparency'],
    hint: 'Set "alpha" to "transparency", or leave out the CMYK profile.',
    meta: { limit: 'transparency', value: alpha },
  };
}

const formatSize = ({ width, height }: { width: number; height: number }) =>
  `${formatCount(width)} x ${formatCount(height)} pixels`;

function checkNearest({ recipe, inspection, target }: OptionsInput): Rejection | undefined {
  const used = target.crop ?? inspection;
  const factor = target.width / used.width;
  const isWhole = Number.isInteger(factor) && factor === target.height / used.height;
  if (!isWhole || !Number.isInteger(recipe.scaleFactor ?? factor))
    return {
      code: 'invalid_parameter',
      detail: `"nearest" repeats pixels, so the result must be a whole multiple of the image. ${formatSize(used)} can't become ${formatSize(target)} this way. Use a whole scale factor or "standard".`,
      param: sizeFields.find((name) => recipe[name] !== undefined) ?? 'scaleFactor',
      allowed: 'a whole multiple of the size of the image',
      meta: { limit: Math.max(1, Math.floor(target.factor)), value: target.factor },
    };
  if (!recipe.grain) return undefined;
  return {
    code: 'conflicting_params',
    detail: '"grain" can\'t be combined with "nearest", because it would change the pixels. Set "grain" to 0.',
    param: 'grain',
    allowed: '0',
    hint: 'Set "grain" to 0, or use another engine.',
    meta: { limit: 0, value: recipe.grain },
  };
}
