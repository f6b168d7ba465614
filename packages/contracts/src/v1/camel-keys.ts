import { camelCase } from '../recipe/parse-recipe.ts';

/** Converts the keys of an object to camelCase. Returns other values unchanged. */
export const camelKeys = (value: unknown): unknown =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [camelCase(name), inner]))
    : value;
