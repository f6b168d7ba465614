import { AppError } from '../errors/app-error.ts';
import { factorRange } from '../policy/images/image-formats.ts';
import { maskField, parseBase64Mask } from '../recipe/mask.ts';
import {
  type Fields,
  findField,
  parseBoolean,
  parseRecipe,
  rejectRepeatedField,
  toCamelCase,
} from '../recipe/parse-recipe.ts';
import type { Recipe, RecipeField } from '../recipe/recipe.ts';
import { type V1Option, v1Defaults, v1Options, v1ParameterNames } from './fields.ts';

/** `given`: recipe fields in the request, and the spelling that was sent for each. */
export type V1Request = {
  recipe: Recipe;
  given: Partial<Record<RecipeField, string>>;
  options: { async: boolean | undefined; cache: boolean; dryRun: boolean; webhookUrl: string | undefined };
};

/**
 * Parses the fields of a processing request. Throws the same errors as `parseRecipe`. Errors about the scale factor
 * also contain the maximum, `max_scale`.
 */
export function parseV1Request(fields: Fields): V1Request {
  const recipe: [string, string][] = [];
  const options = new Map<string, { sent: string; value: string }>();
  for (const [sent, value] of fields) {
    const name = toCamelCase(sent);
    if (Object.hasOwn(v1Options, name)) {
      rejectRepeatedField(options.get(name), { sent, value });
      options.set(name, { sent, value });
    } else if (findField(sent)) recipe.push([sent, value]);
    else throw makeUnknownParameterError(sent.slice(0, 40));
  }
  const mask = options.get(maskField)?.value;
  const flag = (name: V1Option) => {
    const option = options.get(name);
    return option && parseBoolean(option.sent, option.value);
  };
  return {
    recipe: { ...parseV1Recipe(recipe), ...(mask !== undefined && { mask: parseBase64Mask(mask) }) },
    given: Object.fromEntries(recipe.map(([sent]) => [findField(sent), sent])),
    options: {
      async: flag('async'),
      cache: flag('cache') ?? true,
      dryRun: flag('dryRun') ?? false,
      webhookUrl: options.get('webhookUrl')?.value,
    },
  };
}

const makeUnknownParameterError = (param: string) =>
  new AppError('invalid_parameter', { detail: `Unknown parameter "${param}".`, param, allowed: v1ParameterNames });

function parseV1Recipe(fields: Fields): Recipe {
  try {
    return parseRecipe(fields, v1Defaults);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'invalid_parameter' || !error.param) throw error;
    if (findField(error.param) !== 'scaleFactor') throw error;
    const { code, message: detail, param, allowed, got } = error;
    throw new AppError(code, { detail, param, allowed, got, meta: { maxFactor: factorRange.max } });
  }
}
