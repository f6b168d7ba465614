import * as z from 'zod';
import { listSpellings, toSnakeCaseName } from '../../v1/fields.ts';
import {
  v1BulkFormSchema,
  v1EstimateFormSchema,
  v1NewBatchFormSchema,
  v1ProcessFormSchema,
  v1ProcessJsonSchema,
  v1RecipeSchema,
} from '../../v1/forms.ts';
import { v1Schemas } from '../../v1/schemas.ts';
import { type JsonSchema, makeReference } from './open-api.ts';

/**
 * Removes keywords that zod adds but clients don't need: the safe integer range, the patterns of formats, and the types
 * of keys. Also removes the encoding of files, because it makes generators expect strings.
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
    const name = toSnakeCaseName(sent);
    const others =
      (given['x-aliases'] as string[] | undefined) ?? listSpellings(sent).filter((other) => other !== name);
    properties[name] = { ...given, ...(others.length > 0 && { 'x-aliases': others }) };
    const { description: _, default: __, 'x-aliases': ___, ...value } = given;
    if (others.length > 0) patternProperties[`^(${others.join('|')})$`] = value;
  }
  const required = schema.required as string[] | undefined;
  return {
    ...schema,
    properties,
    ...(required && { required: required.map(toSnakeCaseName) }),
    ...(Object.keys(patternProperties).length > 0 && { patternProperties }),
  };
}

/** Schemas with a name in the document. Other schemas are inlined. */
const zodSchemasByName = {
  output: v1Schemas,
  input: {
    Recipe: v1RecipeSchema,
    ProcessJson: v1ProcessJsonSchema,
    NewBatch: v1NewBatchFormSchema,
    EstimateOf: v1EstimateFormSchema,
  },
  form: { ProcessForm: v1ProcessFormSchema, BulkForm: v1BulkFormSchema },
} as const;
type Side = keyof typeof zodSchemasByName;

/** Request bodies accept aliases. Query and path parameters don't. */
const refinements = {
  input: addAliases,
  form: addFormAliases,
  output: openSchema,
  parameter: (schema: JsonSchema) => schema,
};

/** Nested schemas with a name become references. */
function toJsonSchemas(schemas: Record<string, z.ZodType>, side: keyof typeof refinements): Record<string, JsonSchema> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(schemas)) registry.add(schema, { id });
  const { schemas: made } = z.toJSONSchema(registry, {
    io: side === 'output' ? 'output' : 'input',
    uri: (id) => makeReference('schemas', id).$ref,
    override: ({ jsonSchema }) => tidySchema(jsonSchema as JsonSchema),
  });
  return Object.fromEntries(
    Object.entries(made).map(([id, { $schema: _, $id: __, ...schema }]) => [
      id,
      refinements[side](schema as JsonSchema),
    ]),
  );
}

export const makeNamedSchemas = (): Record<string, JsonSchema> => ({
  ...toJsonSchemas(zodSchemasByName.output, 'output'),
  ...toJsonSchemas(zodSchemasByName.input, 'input'),
  ...toJsonSchemas(zodSchemasByName.form, 'form'),
});

/** Returns a reference to a named schema, or the JSON Schema itself. */
export function schemaOf(schema: z.ZodType, side: Side): JsonSchema {
  const known: Record<string, z.ZodType> = zodSchemasByName[side];
  const name = Object.keys(known).find((key) => known[key] === schema);
  if (name) return makeReference('schemas', name);
  return toJsonSchemas({ ...known, own: schema }, side).own ?? {};
}

/** Lists the fields of an object schema, to describe them as parameters. */
export function fieldsOf(schema: z.ZodType): { name: string; field: JsonSchema; required: boolean }[] {
  const { properties = {}, required = [] } = toJsonSchemas({ fields: schema }, 'parameter').fields as {
    properties?: Record<string, JsonSchema>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, field]) => ({ name, field, required: required.includes(name) }));
}
