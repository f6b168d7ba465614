import { snake } from '@uprez/contracts/v1/snake';

/** Returns a copy with all field names in snake_case: `retryAfterS` becomes `retry_after_s`. */
export function snakeCase(value: unknown): unknown {
  return rename(value, snake);
}

/** Fields with a public name of their own. */
const publicNames: Record<string, string> = { maxFactor: 'max_scale' };

/** A response as `/v1` sends it: field names in snake_case, a list inside an envelope. */
export function toV1Body(payload: unknown): unknown {
  const body = rename(payload, (name) => publicNames[name] ?? snake(name));
  return Array.isArray(body) ? { data: body, next_cursor: null } : body;
}

function rename(value: unknown, nameOf: (name: string) => string): unknown {
  if (Array.isArray(value)) return value.map((inner) => rename(inner, nameOf));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [nameOf(name), rename(inner, nameOf)]));
}
