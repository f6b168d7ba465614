import type { FastifySchemaCompiler } from 'fastify';
import type * as z from 'zod';

/** Parse options that leave messages empty unless the schema defines one: those of zod are for developers. */
export const ownMessages = { error: () => '' };

/** The first issue that a schema found in a part of a request. */
export class SchemaError extends Error {
  readonly issue: z.core.$ZodIssue | undefined;
  /** The part of the request; set by Fastify. */
  validationContext?: string;

  constructor({ issues }: z.ZodError) {
    super('The request is invalid.');
    this.issue = issues[0];
  }
}

/** Parses a value. A field that is null where the schema has no null is unset. */
export function parseUnset<Schema extends z.ZodType>(
  schema: Schema,
  data: unknown,
): z.ZodSafeParseResult<z.output<Schema>> {
  const parsed = schema.safeParse(data, ownMessages);
  if (parsed.success) return parsed;
  const unset = parsed.error.issues.reduce((value, { path }) => withoutNull(value, path), data);
  return unset === data ? parsed : parseUnset(schema, unset);
}

/** A copy without the field at a path, if it is null; the same value otherwise. */
function withoutNull(value: unknown, [name, ...rest]: readonly PropertyKey[]): unknown {
  if (name === undefined || value === null || typeof value !== 'object' || !Object.hasOwn(value, name)) return value;
  const inner = (value as Record<PropertyKey, unknown>)[name];
  if (rest.length === 0 && inner === null && !Array.isArray(value))
    return Object.fromEntries(Object.entries(value).filter(([other]) => other !== name));
  const changed = withoutNull(inner, rest);
  if (changed === inner) return value;
  return Array.isArray(value)
    ? value.with(Number(name), changed)
    : Object.fromEntries(Object.entries(value).map(([other, old]) => [other, other === name ? changed : old]));
}

/** Validates parts of requests with the schemas of the contract. Clients of typed languages send all fields, so null means unset. */
export const validatorCompiler: FastifySchemaCompiler<z.ZodType> =
  ({ schema }) =>
  (data) => {
    const parsed = parseUnset(schema, data);
    return parsed.success ? { value: parsed.data } : { error: new SchemaError(parsed.error) };
  };
