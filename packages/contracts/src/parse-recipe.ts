import type * as z from 'zod';
import { AppError } from './app-error.ts';
import { requestedEngines } from './engines.ts';
import { defaultFormat, factorRange, outputFormats, qualityRange } from './picture-formats.ts';
import { type Recipe, recipeSchema } from './recipe.ts';

/** Other spellings of a parameter that callers use, each with the one name used inside. */
const aliases: Record<string, keyof Recipe> = {
  scale: 'scaleFactor',
  scale_factor: 'scaleFactor',
  factor: 'scaleFactor',
  x: 'scaleFactor',
};
const defaults: Recipe = {
  scaleFactor: factorRange.default,
  format: defaultFormat,
  quality: qualityRange.default,
  engine: 'auto',
};
const allowed: Record<keyof Recipe, string> = {
  scaleFactor: `a number from ${factorRange.min} to ${factorRange.max}`,
  format: outputFormats.join(', '),
  quality: `a whole number from ${qualityRange.min} to ${qualityRange.max}`,
  engine: requestedEngines.join(', '),
};
const isName = (name: string): name is keyof Recipe => Object.hasOwn(defaults, name);
const decimal = /^[0-9]{1,6}(\.[0-9]{1,6})?$/;

function refuse(sent: string, name: keyof Recipe): never {
  throw new AppError('invalid_parameter', {
    detail: `The value of "${sent}" must be ${name === 'format' || name === 'engine' ? 'one of: ' : ''}${allowed[name]}.`,
    param: sent,
    allowed: allowed[name],
  });
}

/** Read one text field: numbers become numbers, `jpg` becomes `jpeg`. */
function readValue(sent: string, name: keyof Recipe, text: string): string | number {
  const trimmed = text.trim();
  if (name === 'scaleFactor' || name === 'quality') return decimal.test(trimmed) ? Number(trimmed) : refuse(sent, name);
  const lower = trimmed.toLowerCase();
  return name === 'format' && lower === 'jpg' ? 'jpeg' : lower;
}

/**
 * Turn the text fields of a form into a recipe, defaults filled in. `fields` keeps the order and the repeats of the
 * form. Throws AppError `invalid_parameter` (unknown name, repeat, not a number, out of range, unknown value; `param`
 * is the spelling that was sent) or `conflicting_params` (two spellings, two values).
 */
export function parseRecipe(fields: readonly (readonly [name: string, value: string])[]): Recipe {
  const given = new Map<keyof Recipe, { sent: string; value: string | number }>();
  for (const [sent, text] of fields) {
    const name = isName(sent) ? sent : Object.hasOwn(aliases, sent) ? aliases[sent] : undefined;
    if (!name)
      throw new AppError('invalid_parameter', {
        detail: `There is no parameter "${sent.slice(0, 40)}".`,
        param: sent.slice(0, 40),
        allowed: Object.keys(defaults),
      });
    const value = readValue(sent, name, text);
    const earlier = given.get(name);
    if (earlier?.sent === sent)
      throw new AppError('invalid_parameter', { detail: `The field "${sent}" was sent twice.`, param: sent });
    if (earlier && earlier.value !== value)
      throw new AppError('conflicting_params', {
        detail: `"${earlier.sent}" and "${sent}" are two names of one parameter and have different values.`,
        param: sent,
      });
    given.set(name, { sent, value });
  }
  const values = Object.fromEntries([...given].map(([name, { value }]) => [name, value]));
  const parsed = recipeSchema.safeParse({ ...defaults, ...values });
  if (parsed.success) return parsed.data;
  const name = firstName(parsed.error);
  return refuse(given.get(name)?.sent ?? name, name);
}

function firstName(error: z.ZodError): keyof Recipe {
  const name = String(error.issues[0]?.path[0] ?? '');
  return isName(name) ? name : 'scaleFactor';
}
