import { snake } from '@uprez/contracts/v1/snake';

/** The same value with every field named as the public API names fields: `retryAfterS` becomes `retry_after_s`. */
export function snakeCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(snakeCase);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [snake(name), snakeCase(inner)]));
}
