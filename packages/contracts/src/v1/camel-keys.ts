import { camelCase } from '../recipe/parse-recipe.ts';

/** An object with its own names in camelCase: the public API takes either spelling. What is no object stays as it is. */
export const camelKeys = (value: unknown): unknown =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [camelCase(name), inner]))
    : value;
