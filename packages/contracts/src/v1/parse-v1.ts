import { AppError } from '../errors/app-error.ts';
import { factorRange } from '../policy/image-formats.ts';
import { camelCase, type Fields, findField, parseRecipe, readSwitch } from '../recipe/parse-recipe.ts';
import type { Recipe, RecipeField } from '../recipe/recipe.ts';
import { type V1Option, v1Defaults, v1Names, v1Options } from './fields.ts';

/** `given`: the fields in the request, with the spelling that was sent. */
export type V1Request = {
  recipe: Recipe;
  given: Partial<Record<RecipeField, string>>;
  options: { async: boolean | undefined; cache: boolean; dryRun: boolean; webhookUrl: string | undefined };
};
type Split = { recipe: [string, string][]; options: Map<V1Option, { sent: string; text: string }> };

/**
 * Parses the fields of a processing request. Throws the errors of `parseRecipe`, with `max_scale` for each rejected
 * factor.
 */
export function parseV1(fields: Fields): V1Request {
  const { recipe: ofRecipe, options } = split(fields);
  const flag = (name: V1Option) => {
    const option = options.get(name);
    return option && readSwitch(option.sent, option.text);
  };
  return {
    recipe: readRecipe(ofRecipe),
    given: Object.fromEntries(ofRecipe.map(([sent]) => [findField(sent), sent])),
    options: {
      async: flag('async'),
      cache: flag('cache') ?? true,
      dryRun: flag('dryRun') ?? false,
      webhookUrl: options.get('webhookUrl')?.text,
    },
  };
}

function split(fields: Fields): Split {
  const result: Split = { recipe: [], options: new Map() };
  for (const [sent, text] of fields) {
    const name = camelCase(sent);
    if (Object.hasOwn(v1Options, name)) takeOption(result.options, name as V1Option, { sent, text });
    else if (findField(sent)) result.recipe.push([sent, text]);
    else throw unknown(sent.slice(0, 40));
  }
  return result;
}

const unknown = (param: string) =>
  new AppError('invalid_parameter', { detail: `Unknown parameter "${param}".`, param, allowed: v1Names });

function takeOption(options: Split['options'], name: V1Option, given: { sent: string; text: string }): void {
  const earlier = options.get(name);
  if (earlier?.sent === given.sent)
    throw new AppError('invalid_parameter', { detail: `"${given.sent}" was sent more than once.`, param: given.sent });
  if (earlier && earlier.text !== given.text)
    throw new AppError('conflicting_params', {
      detail: `"${earlier.sent}" and "${given.sent}" are the same parameter but have different values.`,
      param: given.sent,
    });
  options.set(name, given);
}

function readRecipe(fields: Fields): Recipe {
  try {
    return parseRecipe(fields, v1Defaults);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'invalid_parameter' || !error.param) throw error;
    if (findField(error.param) !== 'scaleFactor') throw error;
    const { code, message: detail, param, allowed, got } = error;
    throw new AppError(code, { detail, param, allowed, got, meta: { maxFactor: factorRange.max } });
  }
}
