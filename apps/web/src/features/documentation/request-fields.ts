import type {
  JsonSchema,
  OpenApiDocument,
  Parameter,
  Reference,
  RequestBody,
} from '@uprez/contracts/docs/openapi/open-api';

export type Field = { name: string; isRequired: boolean; allowed: string; description: string };
export type FieldGroup = { place: 'path' | 'query' | 'json' | 'form'; fields: Field[] };
type Property = JsonSchema & { properties?: Record<string, JsonSchema>; required?: string[]; items?: JsonSchema };

const resolveReference = (document: OpenApiDocument, { $ref }: { $ref?: unknown }): unknown =>
  typeof $ref !== 'string'
    ? undefined
    : $ref
        .split('/')
        .slice(1)
        .reduce<unknown>((part, key) => (part as Record<string, unknown> | undefined)?.[key], document);

/** Keywords next to a reference take precedence over the reference's target. */
function resolveSchema(document: OpenApiDocument, schema: JsonSchema): Property {
  const { $ref: _, ...own } = schema;
  const target = resolveReference(document, schema) as JsonSchema | undefined;
  const found = { ...target, ...own } as Property & { anyOf?: JsonSchema[]; allOf?: JsonSchema[] };
  const others = [...(found.anyOf ?? []), ...(found.allOf ?? [])].map((one) => resolveSchema(document, one));
  const inner = others.find(({ properties, items, type }) => properties ?? items ?? (type !== 'null' && type));
  return inner ? { ...inner, ...found } : found;
}

function describeProperty(property: Property): string {
  const { enum: choices, const: only, type, format, minimum, maximum, maxLength, default: fallback } = property;
  if (Array.isArray(choices)) return choices.join(', ');
  if (only !== undefined) return String(only);
  const kind = format === 'binary' ? 'file' : String(format ?? [type ?? ''].flat().join(' or '));
  const bounds = [
    minimum === undefined ? '' : `from ${String(minimum)}`,
    maximum === undefined ? '' : `to ${String(maximum)}`,
    maxLength === undefined ? '' : `at most ${String(maxLength)} characters`,
    fallback === undefined || fallback === '' ? '' : `default ${String(fallback)}`,
  ];
  return [kind, ...bounds].filter(Boolean).join(', ');
}

type FieldContext = { document: OpenApiDocument; known: ReadonlySet<string> };

/** Lists the fields of an object, except those in `known`. Includes nested fields: `items[].name`. */
function fieldsIn(reading: FieldContext, schema: JsonSchema, prefix = ''): Field[] {
  const { document, known } = reading;
  const { properties = {}, required = [] } = resolveSchema(document, schema);
  return Object.entries(properties).flatMap(([key, given]): Field[] => {
    if (known.has(key) && !prefix) return [];
    const property = resolveSchema(document, given);
    const list = property.items && resolveSchema(document, property.items);
    const name = `${prefix}${key}`;
    const allowed = list ? `list of ${describeProperty(list) || 'objects'}` : describeProperty(property);
    const own = { name, isRequired: required.includes(key), allowed, description: String(property.description ?? '') };
    const inner = list?.properties ? list : property;
    const isImage = known.size > 0 && inner.properties?.scale_factor !== undefined;
    if (!inner.properties || isImage) return [own];
    return [own, ...fieldsIn(reading, inner, `${name}${list ? '[]' : ''}.`)];
  });
}

function parametersOf(
  document: OpenApiDocument,
  given: readonly (Parameter | Reference)[],
  place: 'path' | 'query',
): Field[] {
  return given
    .map((one) => ('$ref' in one ? (resolveReference(document, one) as Parameter) : one))
    .filter((one) => one.in === place)
    .map(({ name, required = false, description = '', schema }) => ({
      name,
      isRequired: required,
      allowed: describeProperty(resolveSchema(document, schema)),
      description,
    }));
}

const places = { 'application/json': 'json', 'multipart/form-data': 'form' } as const;

function fieldsOfBody(
  document: OpenApiDocument,
  body: RequestBody | undefined,
  known: ReadonlySet<string>,
): FieldGroup[] {
  return Object.entries(places).flatMap(([type, place]) => {
    const schema = body?.content[type]?.schema;
    return schema ? [{ place, fields: fieldsIn({ document, known }, schema) }] : [];
  });
}

type Endpoint = { method: string; path: string; known: ReadonlySet<string> };

/** Lists the fields of a request by their location. */
export function fieldsOfCall(document: OpenApiDocument, { method, path, known }: Endpoint): FieldGroup[] {
  const operation = document.paths[path]?.[method.toLowerCase() as 'get'];
  const given = operation?.parameters ?? [];
  const parameters = (['path', 'query'] as const).map((place) => ({
    place,
    fields: parametersOf(document, given, place).filter(({ name }) => !known.has(name)),
  }));
  return [...parameters, ...fieldsOfBody(document, operation?.requestBody, known)].filter(
    ({ fields }) => fields.length > 0,
  );
}

export const fieldsOfEvent = (document: OpenApiDocument, type: string): FieldGroup[] => {
  const { requestBody } = (document.webhooks[type]?.post ?? {}) as { requestBody?: RequestBody };
  return fieldsOfBody(document, requestBody, new Set());
};
