import { maskFacts } from '../recipe/mask.ts';
import { recipeDefaults, recipeFields } from '../recipe/recipe-fields.ts';

type SnakeCase<Name extends string> = Name extends `${infer Head}${infer Tail}`
  ? `${Head extends Lowercase<Head> ? Head : `_${Lowercase<Head>}`}${SnakeCase<Tail>}`
  : Name;

export const toSnakeCase = <Name extends string>(name: Name): SnakeCase<Name> =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) as SnakeCase<Name>;

/** Fields with a public name that isn't their name in snake_case. */
const publicNames: Record<string, string> = { maxFactor: 'max_scale' };

export const toPublicName = (name: string): string => publicNames[name] ?? toSnakeCase(name);

type PublicName<Name extends string> = Name extends 'maxFactor' ? 'max_scale' : SnakeCase<Name>;

/** The type `T` with the public API's field names. */
export type SnakeCaseKeys<T> = T extends readonly (infer Item)[]
  ? SnakeCaseKeys<Item>[]
  : T extends object
    ? { [Name in keyof T as Name extends string ? PublicName<Name> : Name]: SnakeCaseKeys<T[Name]> }
    : T;

/**
 * Defaults of the public API. They differ from the web app's: the result is a JPEG with quality 85, and is always a new
 * file.
 */
export const v1Defaults = { ...recipeDefaults, format: 'jpeg', quality: 85, neverLarger: false } as const;

/** Parameters of the public API that don't belong to a recipe, by their camelCase names. */
export const v1Options = {
  mask: maskFacts,
  imageUrl: { allowed: 'an https URL', description: 'URL of the image, instead of an uploaded file' },
  filename: { allowed: 'a file name', description: 'File name of an image sent as the request body or as base64' },
  webhookUrl: {
    allowed: 'an https URL',
    description: 'URL that receives a webhook when the job ends (API Pro, Enterprise)',
  },
  async: { allowed: 'true, false', description: 'Return the job immediately instead of waiting for the result' },
  cache: {
    allowed: 'true, false',
    description:
      'Copy a stored result of the same image and options at no charge, if there is one; true by default. You need 1 available credit, which is refunded',
  },
  dryRun: {
    allowed: 'true, false',
    description: 'Validate the request and estimate the result without processing the image or charging credits',
  },
} as const;
export type V1Option = keyof typeof v1Options;

export const toSnakeCaseName = (name: string): string => toSnakeCase(name);

/** Lists the accepted spellings of a camelCase name: camelCase, snake_case, and kebab-case. */
export const listSpellings = (name: string): string[] => [
  ...new Set([name, toSnakeCaseName(name), toSnakeCaseName(name).replaceAll('_', '-')]),
];

/** Names of all parameters of a processing request, in snake_case. */
export const v1ParameterNames: readonly string[] = [
  ...Object.keys(recipeFields),
  'preserveMetadata',
  ...Object.keys(v1Options),
].map(toSnakeCaseName);
