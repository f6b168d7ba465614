import type * as z from 'zod';
import { AppError } from '../errors/app-error.ts';
import { factorRange } from '../policy/images/image-formats.ts';
import { type Recipe, type RecipeField, recipeSchema } from './recipe.ts';
import { sizeFields } from './recipe-choices.ts';
import { decimalPlaces, recipeAliases, recipeDefaults, recipeFields, recipeFlags } from './recipe-fields.ts';

type Value = string | number | boolean;
/** Text fields of a form, in order, including repeated ones. */
export type Fields = readonly (readonly [name: string, value: string])[];
/** `sent`: the name as it was sent. `text`: the value as it was sent. */
type SentField = { sent: string; value: Value; text: string };
type SentValue = Omit<SentField, 'text'>;
type SentFields = Map<RecipeField, SentField>;

const wholePattern = /^[0-9]{1,9}(\.0{1,20})?$/;
const decimalPattern = /^([0-9]{1,9})(\.[0-9]{1,20})?(?:\/([0-9]{1,9}))?$/;
const trueWords = ['true', '1', 'yes', 'on'];
const falseWords = ['false', '0', 'no', 'off'];
export const toCamelCase = (name: string) => name.replace(/[-_]([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** Resolves a name or alias to its field. */
export function findField(sent: string): RecipeField | undefined {
  const name = toCamelCase(sent);
  if (Object.hasOwn(recipeFlags, name)) return recipeFlags[name]?.field;
  if (Object.hasOwn(recipeFields, name)) return name as RecipeField;
  return Object.hasOwn(recipeAliases, name) ? recipeAliases[name] : undefined;
}

function rejectValue(sent: string, field: RecipeField, got: string | undefined): never {
  const { kind, allowed } = recipeFields[field];
  const list = kind === 'name' || kind === 'flag' ? 'one of ' : '';
  throw new AppError('invalid_parameter', {
    detail: `"${sent}" must be ${list}${allowed}.`,
    param: sent,
    allowed,
    got,
  });
}

/**
 * Parses a number, or a fraction such as `4/3`, and rounds it to `decimalPlaces`, because computed factors have more
 * places than matter in any image. Returns undefined for other text.
 */
function parseDecimal(value: string): number | undefined {
  const [, integer, fraction = '', divisor = '1'] = decimalPattern.exec(value) ?? [];
  if (integer === undefined || Number(divisor) === 0) return undefined;
  return Number((Number(integer + fraction) / Number(divisor)).toFixed(decimalPlaces));
}

/**
 * Parses and normalizes the string value of a field: numeric strings become numbers, `jpg` becomes `jpeg`, `#FFF`
 * becomes `#ffffff`.
 */
function parseValue(sent: string, field: RecipeField, text: string): Value {
  const value = text.trim().toLowerCase();
  const { kind } = recipeFields[field];
  if (kind === 'whole') return wholePattern.test(value) ? Number(value) : rejectValue(sent, field, text);
  if (kind === 'decimal') return parseDecimal(value) ?? rejectValue(sent, field, text);
  if (kind === 'flag')
    return trueWords.includes(value) || (falseWords.includes(value) ? false : rejectValue(sent, field, text));
  if (kind === 'color') return parseColor(value);
  if (field === 'format') return { jpg: 'jpeg', tif: 'tiff' }[value] ?? value;
  return value;
}

/** Undefined if the name isn't a flag. Throws `invalid_parameter`. */
function parseFlag(sent: string, text: string): Value | undefined {
  const flag = recipeFlags[toCamelCase(sent)];
  if (!Object.hasOwn(recipeFlags, toCamelCase(sent)) || !flag) return undefined;
  return parseBoolean(sent, text) ? flag.yes : flag.no;
}

/** Parses a boolean from a form, a query string, or a command line. Throws `invalid_parameter`. */
export function parseBoolean(sent: string, text: string): boolean {
  const value = text.trim().toLowerCase();
  if (trueWords.includes(value)) return true;
  if (falseWords.includes(value)) return false;
  throw new AppError('invalid_parameter', {
    detail: `"${sent}" must be true or false.`,
    param: sent,
    allowed: 'true, false',
    got: text,
  });
}

/**
 * Returns the value of a boolean field, by any spelling of its name, and the remaining fields. Throws
 * `invalid_parameter` if it was sent twice or isn't a boolean.
 */
export function extractBoolean(fields: Fields, name: string): { value: boolean | undefined; rest: Fields } {
  const [first, second] = fields.filter(([sent]) => toCamelCase(sent) === name);
  if (second)
    throw new AppError('invalid_parameter', { detail: `"${second[0]}" was sent more than once.`, param: second[0] });
  return { value: first && parseBoolean(...first), rest: fields.filter((field) => field !== first) };
}

function parseColor(value: string): string {
  const digits = value.replace(/^#/, '');
  return `#${digits.length === 3 ? digits.replace(/./g, '$&$&') : digits}`;
}

/**
 * Parses text fields into a recipe and fills in the defaults. `defaults` override those of the web app. Throws
 * `invalid_parameter` for an unknown or repeated name or an invalid value (`param` is the name that was sent), or
 * `conflicting_params` for aliases with different values, more than one size, or a value without effect.
 */
export function parseRecipe(fields: Fields, defaults: Partial<Recipe> = {}): Recipe {
  const given: SentFields = new Map();
  for (const [sent, text] of fields) addField(given, sent, text);
  rejectTwoSizes(given);
  const values = Object.fromEntries([...given].map(([name, { value }]) => [name, value]));
  const isSized = sizeFields.some((name) => given.has(name));
  const size = isSized ? {} : { scaleFactor: factorRange.default };
  const parsed = recipeSchema.safeParse({ ...recipeDefaults, ...defaults, ...size, ...values });
  if (parsed.success) return rejectIneffectiveFields(parsed.data, given);
  const name = firstInvalidField(parsed.error);
  return rejectValue(given.get(name)?.sent ?? name, name, given.get(name)?.text);
}

function addField(given: SentFields, sent: string, text: string): void {
  const name = findField(sent);
  const shown = sent.slice(0, 40);
  if (!name)
    throw new AppError('invalid_parameter', {
      detail: `Unknown parameter "${shown}".`,
      param: shown,
      allowed: Object.keys(recipeFields),
    });
  const value = parseFlag(sent, text) ?? parseValue(sent, name, text);
  rejectRepeatedField(given.get(name), { sent, value });
  given.set(name, { sent, value, text });
}

/** Rejects a parameter that was sent twice, or under two names with different values. */
export function rejectRepeatedField(earlier: SentValue | undefined, { sent, value }: SentValue): void {
  if (earlier?.sent === sent)
    throw new AppError('invalid_parameter', { detail: `"${sent}" was sent more than once.`, param: sent });
  if (earlier && earlier.value !== value)
    throw new AppError('conflicting_params', {
      detail: `"${earlier.sent}" and "${sent}" are the same parameter but have different values.`,
      param: sent,
    });
}

function rejectTwoSizes(given: SentFields): void {
  const sizes = sizeFields.filter((name) => given.has(name));
  const ways = new Set(sizes.map((name) => (name === 'height' ? 'width' : name)));
  if (ways.size <= 1) return;
  const sent = sizes.map((name) => given.get(name)?.sent);
  throw new AppError('conflicting_params', {
    detail: `${sent.map((name) => `"${name}"`).join(' and ')} each set the size. Send only one of them.`,
    param: sent[1],
  });
}

function rejectIneffectiveFields(recipe: Recipe, given: SentFields): Recipe {
  const refuseField = (field: RecipeField, detail: string): never => {
    throw new AppError('conflicting_params', { detail, param: given.get(field)?.sent ?? field });
  };
  if (given.has('fit') && !recipe.width && !recipe.height) refuseField('fit', '"fit" requires "width" or "height".');
  if (recipe.fit === 'cover' && !(recipe.width && recipe.height))
    refuseField('fit', '"cover" requires both "width" and "height".');
  if (given.has('detail') && recipe.detail === 'crisp' && recipe.engine === 'standard')
    refuseField('detail', '"crisp" requires an AI engine.');
  if (recipe.gps && recipe.metadata !== 'all') refuseField('gps', '"gps" requires "metadata" to be "all".');
  return recipe;
}

function firstInvalidField(error: z.ZodError): RecipeField {
  const name = String(error.issues[0]?.path[0] ?? '');
  return Object.hasOwn(recipeFields, name) ? (name as RecipeField) : 'scaleFactor';
}
