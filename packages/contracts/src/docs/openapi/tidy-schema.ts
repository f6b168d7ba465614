import { snakeCase, spellings } from '../../v1/fields.ts';
import type { JsonSchema } from './open-api.ts';

/**
 * Removes keywords that zod adds but clients don't need: the safe integer range, patterns of formats, types of keys,
 * and the encoding of files, which makes generators expect strings.
 */
export function tidySchema(schema: JsonSchema): void {
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.format) delete schema.pattern;
  if (schema.contentEncoding === 'binary') delete schema.contentEncoding;
  if (schema.propertyNames && Object.keys(schema.propertyNames).join() === 'type') delete schema.propertyNames;
}

type Properties = Record<string, JsonSchema>;
const isObject = (value: unknown): value is JsonSchema =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

/** Applies a change to a schema and all nested schemas, innermost first. */
function mapSchemas(value: unknown, change: (schema: JsonSchema) => JsonSchema): unknown {
  if (Array.isArray(value)) return value.map((inner) => mapSchemas(inner, change));
  if (!isObject(value)) return value;
  return change(Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, mapSchemas(inner, change)])));
}

/** Allows additional properties in responses, because new fields aren't breaking changes. */
export const openSchema = (schema: JsonSchema) =>
  mapSchemas(schema, ({ additionalProperties, ...rest }) =>
    additionalProperties === false || additionalProperties === undefined ? rest : { ...rest, additionalProperties },
  ) as JsonSchema;

/** Renames the fields of request bodies to snake_case, and adds their aliases. */
export const addAliases = (schema: JsonSchema) => mapSchemas(schema, addAliasesToObject) as JsonSchema;

/** Describes the aliases of a field in a sentence. */
export const describeAliases = (aliases: readonly string[]): string =>
  `Aliases: ${aliases.map((alias) => `\`${alias}\``).join(', ')}.`;

/**
 * Renames the fields of forms and adds their aliases, but describes the aliases in words instead of patterns, because
 * API consoles show a pattern as a field and send it.
 */
export function addFormAliases(schema: JsonSchema): JsonSchema {
  const { patternProperties: _, additionalProperties: __, ...form } = addAliases(schema);
  const properties = Object.entries((form.properties ?? {}) as Properties).map(([name, field]) => {
    const aliases = field['x-aliases'] as string[] | undefined;
    if (!aliases) return [name, field];
    const description = [field.description, describeAliases(aliases)].filter(Boolean).join(' ');
    return [name, { ...field, description }];
  });
  return { ...form, properties: Object.fromEntries(properties) as Properties };
}

function addAliasesToObject(schema: JsonSchema): JsonSchema {
  if (schema.type !== 'object' || !isObject(schema.properties)) return schema;
  const properties: Properties = {};
  const patternProperties: Properties = {};
  for (const [sent, given] of Object.entries(schema.properties as Properties)) {
    const name = snakeCase(sent);
    const others = (given['x-aliases'] as string[] | undefined) ?? spellings(sent).filter((other) => other !== name);
    properties[name] = { ...given, ...(others.length > 0 && { 'x-aliases': others }) };
    const { description: _, default: __, 'x-aliases': ___, ...value } = given;
    if (others.length > 0) patternProperties[`^(${others.join('|')})$`] = value;
  }
  const required = schema.required as string[] | undefined;
  return {
    ...schema,
    properties,
    ...(required && { required: required.map(snakeCase) }),
    ...(Object.keys(patternProperties).length > 0 && { patternProperties }),
  };
}
