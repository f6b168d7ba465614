import type * as z from 'zod';
import { AppError } from '../errors/app-error.ts';
import { factorRange } from '../policy/image-formats.ts';
import { type Recipe, type RecipeField, recipeSchema } from './recipe.ts';
import { sizeFields } from './recipe-choices.ts';
import { recipeAliases, recipeDefaults, recipeFields, recipeFlags } from './recipe-fields.ts';

type Value = string | number | boolean;
/** The text fields of a form in their order, with their repeats. */
export type Fields = readonly (readonly [name: string, value: string])[];
type Given = Map<RecipeField, { sent: string; value: Value }>;

const decimal = /^[0-9]{1,9}(\.[0-9]{1,6})?$/;
const yes = ['true', '1', 'yes', 'on'];
const no = ['false', '0', 'no', 'off'];
export const camelCase = (name: string) => name.replace(/[-_]([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** The field that a caller's spelling means; undefined: none. */
export function findField(sent: string): RecipeField | undefined {
  const name = camelCase(sent);
  if (Object.hasOwn(recipeFlags, name)) return recipeFlags[name]?.field;
  if (Object.hasOwn(recipeFields, name)) return name as RecipeField;
  return Object.hasOwn(recipeAliases, name) ? recipeAliases[name] : undefined;
}

function refuse(sent: string, field: RecipeField, got: Value | undefined): never {
  const { kind, allowed } = recipeFields[field];
  const list = kind === 'name' || kind === 'flag' ? 'one of: ' : '';
  throw new AppError('invalid_parameter', {
    detail: `The value of "${sent}" must be ${list}${allowed}.`,
    param: sent,
    allowed,
    got: got === undefined ? undefined : String(got),
  });
}

/** Read one text field: numbers become numbers, `jpg` becomes `jpeg`, `#FFF` becomes `#ffffff`. */
function readValue(sent: string, field: RecipeField, text: string): Value {
  const value = text.trim().toLowerCase();
  const { kind } = recipeFields[field];
  if (kind === 'whole' || kind === 'decimal') return decimal.test(value) ? Number(value) : refuse(sent, field, text);
  if (kind === 'flag') return yes.includes(value) || (no.includes(value) ? false : refuse(sent, field, text));
  if (kind === 'color') return readColor(value);
  if (field === 'format') return { jpg: 'jpeg', tif: 'tiff' }[value] ?? value;
  return value;
}

/** Flags that stand for a value of a field. Throws for a flag that is neither. */
function readFlag(sent: string, text: string): Value | undefined {
  const flag = recipeFlags[camelCase(sent)];
  if (!Object.hasOwn(recipeFlags, camelCase(sent)) || !flag) return undefined;
  return readSwitch(sent, text) ? flag.yes : flag.no;
}

/** A yes or no as forms, addresses and command lines spell it. Throws `invalid_parameter`. */
export function readSwitch(sent: string, text: string): boolean {
  const value = text.trim().toLowerCase();
  if (yes.includes(value)) return true;
  if (no.includes(value)) return false;
  throw new AppError('invalid_parameter', {
    detail: `The value of "${sent}" must be one of: true, false.`,
    param: sent,
    allowed: 'true, false',
    got: text,
  });
}

function readColor(value: string): string {
  const digits = value.replace(/^#/, '');
  return `#${digits.length === 3 ? digits.replace(/./g, '$&$&') : digits}`;
}

/**
 * Turn the text fields of a form or command line into a recipe, defaults filled in. `fields` keeps the order and the
 * repeats of the form; `defaults`: those of a surface, where they are not the web's. Throws AppError `invalid_parameter` (unknown name, repeat, not a number, out of range, unknown
 * value; `param` is the spelling that was sent) or `conflicting_params` (two spellings with two values, two sizes).
 */
export function parseRecipe(fields: Fields, defaults: Partial<Recipe> = {}): Recipe {
  const given: Given = new Map();
  for (const [sent, text] of fields) take(given, sent, text);
  refuseTwoSizes(given);
  const values = Object.fromEntries([...given].map(([name, { value }]) => [name, value]));
  const isSized = sizeFields.some((name) => given.has(name));
  const size = isSized ? {} : { scaleFactor: factorRange.default };
  const parsed = recipeSchema.safeParse({ ...recipeDefaults, ...defaults, ...size, ...values });
  if (parsed.success) return refuseIdle(parsed.data, given);
  const name = firstName(parsed.error);
  return refuse(given.get(name)?.sent ?? name, name, given.get(name)?.value);
}

function take(given: Given, sent: string, text: string): void {
  const name = findField(sent);
  const shown = sent.slice(0, 40);
  if (!name)
    throw new AppError('invalid_parameter', {
      detail: `There is no parameter "${shown}".`,
      param: shown,
      allowed: Object.keys(recipeFields),
    });
  const value = readFlag(sent, text) ?? readValue(sent, name, text);
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

/** A size is asked for in one way; only width and height are two halves of one. */
function refuseTwoSizes(given: Given): void {
  const sizes = sizeFields.filter((name) => given.has(name));
  const ways = new Set(sizes.map((name) => (name === 'height' ? 'width' : name)));
  if (ways.size <= 1) return;
  const sent = sizes.map((name) => given.get(name)?.sent);
  throw new AppError('conflicting_params', {
    detail: `${sent.map((name) => `"${name}"`).join(' and ')} each say a size. Send one of them.`,
    param: sent[1],
  });
}

/** A value that would change nothing is a mistake, and is said. */
function refuseIdle(recipe: Recipe, given: Given): Recipe {
  const refuseField = (field: RecipeField, detail: string): never => {
    throw new AppError('conflicting_params', { detail, param: given.get(field)?.sent ?? field });
  };
  if (given.has('fit') && !recipe.width && !recipe.height) refuseField('fit', '"fit" needs a width or a height.');
  if (recipe.fit === 'cover' && !(recipe.width && recipe.height))
    refuseField('fit', '"cover" needs a width and a height.');
  if (recipe.gps && recipe.metadata !== 'all') refuseField('gps', 'The place is kept only with metadata "all".');
  return recipe;
}

function firstName(error: z.ZodError): RecipeField {
  const name = String(error.issues[0]?.path[0] ?? '');
  return Object.hasOwn(recipeFields, name) ? (name as RecipeField) : 'scaleFactor';
}
