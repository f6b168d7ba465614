import * as z from 'zod';
import { noCursorSchema } from '../schemas/page.ts';
import { type SnakeCaseKeys, toPublicName } from './fields.ts';

type V1Shape<T> = T extends readonly unknown[] ? { data: SnakeCaseKeys<T>; next_cursor: null } : SnakeCaseKeys<T>;

/**
 * Cache of converted schemas. A schema must always be converted to the same object, because the API documents identify
 * schemas by object.
 */
const convertedSchemas = new WeakMap<z.ZodType, z.ZodType>();

/**
 * Converts a response schema to its `/v1` form: fields are renamed to snake_case, and lists are wrapped in an envelope.
 */
export function toV1Schema<Schema extends z.ZodType>(schema: Schema): z.ZodType<V1Shape<z.output<Schema>>> {
  const form = convertedSchemas.get(schema) ?? renameFields(schema);
  const result = form instanceof z.ZodArray ? z.object({ data: form, next_cursor: noCursorSchema }) : form;
  convertedSchemas.set(schema, result);
  return result as unknown as z.ZodType<V1Shape<z.output<Schema>>>;
}

function renameFields(schema: z.ZodType): z.ZodType {
  const renamed = rebuildSchema(schema);
  const meta = schema.meta();
  return renamed === schema || !meta ? renamed : renamed.meta(meta);
}

/** The result has no description. `rename` restores it. */
function rebuildSchema(schema: z.ZodType): z.ZodType {
  const inner = (one: unknown) => (one instanceof z.ZodArray ? renameFields(one) : toV1Schema(one as z.ZodType));
  if (schema instanceof z.ZodArray) return z.array(inner(schema.element));
  if (schema instanceof z.ZodNullable) return inner(schema.unwrap()).nullable();
  if (schema instanceof z.ZodOptional) return inner(schema.unwrap()).optional();
  if (schema instanceof z.ZodUnion) return z.union(schema.options.map(inner));
  if (!(schema instanceof z.ZodObject)) return schema;
  const fields = Object.entries(schema.shape).map(([name, field]) => [toPublicName(name), inner(field)]);
  return z.object(Object.fromEntries(fields) as z.ZodRawShape);
}
