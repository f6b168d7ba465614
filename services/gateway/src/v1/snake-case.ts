import { camelCase } from '@uprez/contracts/recipe/parse-recipe';
import { publicName, snake } from '@uprez/contracts/v1/snake';

/** Returns a copy with all field names in snake_case: `retryAfterS` becomes `retry_after_s`. */
export const snakeCase = (value: unknown): unknown => rename(value, snake);

/** A response as `/v1` sends it: field names in snake_case, a list inside an envelope. */
export function toV1Body(payload: unknown): unknown {
  const body = rename(payload, publicName);
  return Array.isArray(body) ? { data: body, next_cursor: null } : body;
}

/** Converts names to camelCase at every level, except inside `recipe`, which accepts aliases. */
export const camelNames = (value: unknown): unknown => rename(value, camelCase, 'recipe');

/** Converts the keys of an object to camelCase. Returns other values unchanged. */
export const camelKeys = (value: unknown): unknown =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [camelCase(name), inner]))
    : value;

/** `kept`: a field whose value isn't renamed. */
function rename(value: unknown, nameOf: (name: string) => string, kept?: string): unknown {
  if (Array.isArray(value)) return value.map((inner) => rename(inner, nameOf, kept));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [nameOf(name), name === kept ? inner : rename(inner, nameOf, kept)]),
  );
}
