import { camelCase } from '@uprez/contracts/recipe/parse-recipe';
import { publicName, snake } from '@uprez/contracts/v1/snake';

const snakeName = remember(snake);
const publicFieldName = remember(publicName);

/** Returns a copy with all field names in snake_case: `retryAfterS` becomes `retry_after_s`. */
export const snakeCase = (value: unknown): unknown => rename(value, snakeName);

/** A response as `/v1` sends it: field names in snake_case, a list inside an envelope. */
export function toV1Body(payload: unknown): unknown {
  const body = rename(payload, publicFieldName);
  return Array.isArray(body) ? { data: body, next_cursor: null } : body;
}

/** Converts names to camelCase at every level, except inside `recipe`, which accepts aliases. */
export const camelNames = (value: unknown): unknown => rename(value, camelCase, 'recipe');

/** Converts the keys of an object to camelCase. Returns other values unchanged. */
export const camelKeys = (value: unknown): unknown =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [camelCase(name), inner]))
    : value;

/** Names that are remembered at most. Responses have some hundred. */
const rememberedNames = 1_000;

/** Remembers the names that `nameOf` returned: converting one takes longer than anything else that a response does with it. */
function remember(nameOf: (name: string) => string): (name: string) => string {
  const known = new Map<string, string>();
  return (name) => {
    const found = known.get(name);
    if (found !== undefined) return found;
    const made = nameOf(name);
    if (known.size < rememberedNames) known.set(name, made);
    return made;
  };
}

/** `kept`: a field whose value isn't renamed. Bodies with `__proto__`, which would set the prototype here, are rejected earlier. */
function rename(value: unknown, nameOf: (name: string) => string, kept?: string): unknown {
  if (Array.isArray(value)) return value.map((inner) => rename(inner, nameOf, kept));
  if (value === null || typeof value !== 'object') return value;
  const renamed: Record<string, unknown> = {};
  // Responses of hundreds of objects are renamed. Lists of entries would take five times as long.
  for (const name of Object.keys(value)) {
    const inner = (value as Record<string, unknown>)[name];
    renamed[nameOf(name)] = name === kept ? inner : rename(inner, nameOf, kept);
  }
  return renamed;
}
