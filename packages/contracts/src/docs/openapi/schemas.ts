import * as z from 'zod';
import {
  v1BulkFormSchema,
  v1EstimateFormSchema,
  v1NewBatchFormSchema,
  v1ProcessFormSchema,
  v1ProcessJsonSchema,
  v1RecipeSchema,
} from '../../v1/forms.ts';
import { v1Schemas } from '../../v1/schemas.ts';
import { type JsonSchema, refer } from './open-api.ts';
import { addAliases, addFormAliases, openSchema, tidySchema } from './tidy-schema.ts';

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
const refine = {
  input: addAliases,
  form: addFormAliases,
  output: openSchema,
  parameter: (schema: JsonSchema) => schema,
};

/** Converts zod schemas to JSON Schemas. Nested schemas with a name become references. */
function convert(schemas: Record<string, z.ZodType>, side: keyof typeof refine): Record<string, JsonSchema> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(schemas)) registry.add(schema, { id });
  const { schemas: made } = z.toJSONSchema(registry, {
    io: side === 'output' ? 'output' : 'input',
    uri: (id) => refer('schemas', id).$ref,
    override: ({ jsonSchema }) => tidySchema(jsonSchema as JsonSchema),
  });
  return Object.fromEntries(
    Object.entries(made).map(([id, { $schema: _, $id: __, ...schema }]) => [id, refine[side](schema as JsonSchema)]),
  );
}

/** Makes the schema components of the document. */
export const namedSchemas = (): Record<string, JsonSchema> => ({
  ...convert(zodSchemasByName.output, 'output'),
  ...convert(zodSchemasByName.input, 'input'),
  ...convert(zodSchemasByName.form, 'form'),
});

/** Returns a reference to a named schema, or the JSON Schema itself. */
export function schemaOf(schema: z.ZodType, side: Side): JsonSchema {
  const known: Record<string, z.ZodType> = zodSchemasByName[side];
  const name = Object.keys(known).find((key) => known[key] === schema);
  if (name) return refer('schemas', name);
  return convert({ ...known, own: schema }, side).own ?? {};
}

/** Lists the fields of an object schema, for parameters. */
export function fieldsOf(schema: z.ZodType): { name: string; field: JsonSchema; required: boolean }[] {
  const { properties = {}, required = [] } = convert({ fields: schema }, 'parameter').fields as {
    properties?: Record<string, JsonSchema>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, field]) => ({ name, field, required: required.includes(name) }));
}
