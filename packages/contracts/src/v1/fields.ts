import { recipeDefaults, recipeFields } from '../recipe/recipe-fields.ts';
import { snake } from './snake.ts';

/** What the public API makes when nothing is said: other than the web, a JPEG of quality 85. */
export const v1Defaults = { ...recipeDefaults, format: 'jpeg', quality: 85 } as const;

/** Besides the fields of a recipe: how a call of the public API is answered. By their camelCase names. */
export const v1Options = {
  imageUrl: { allowed: 'an https address', says: 'where the image lies, instead of the image itself' },
  filename: { allowed: 'a file name', says: 'name of an image that comes as the body itself or as base64' },
  webhookUrl: {
    allowed: 'an https address',
    says: 'where the end of this job is told (API Pro, Enterprise); an answer from the cache tells nobody',
  },
  async: { allowed: 'true, false', says: 'answer at once with a job instead of waiting for the result' },
  cache: {
    allowed: 'true, false',
    says: 'answer with a stored result of the same image and settings (default true)',
  },
  dryRun: { allowed: 'true, false', says: 'check everything and tell what would be made; nothing is made or charged' },
} as const;
export type V1Option = keyof typeof v1Options;

/** A camelCase name as the public API spells it. */
export const snakeCase = (name: string): string => snake(name);

/** All spellings of a camelCase name. */
export const spellings = (name: string): string[] => [
  ...new Set([name, snakeCase(name), snakeCase(name).replaceAll('_', '-')]),
];

/** Every parameter that a processing call knows, as the public API spells it. */
export const v1Names: readonly string[] = [
  ...Object.keys(recipeFields),
  'preserveMetadata',
  ...Object.keys(v1Options),
].map(snakeCase);
