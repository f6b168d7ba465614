import type { JsonSchema, MediaType, OpenApiDocument } from '@uprez/contracts/docs/openapi/open-api';

/** Form row in Scalar's console. A row that is disabled by default is sent once the user edits it. */
type Row = { name: string; value: string; isDisabled: boolean; isDisabledByDefault: boolean };
type Property = { format?: string; default?: unknown };

const resolveReference = ({ components }: OpenApiDocument, schema: JsonSchema): JsonSchema =>
  components.schemas[String(schema.$ref).split('/').at(-1) ?? ''] ?? schema;

function makeRows(properties: Record<string, Property>, example: Record<string, unknown>): Row[] {
  const row = (name: string): Row => {
    const isSent = Object.hasOwn(example, name);
    const { format, default: usual = '' } = properties[name] ?? {};
    const value = String(isSent ? example[name] : usual);
    // Prefixes file names with "@", because code samples read such a value as a file name.
    return {
      name,
      value: format === 'binary' ? `@${value}` : value,
      isDisabled: !isSent,
      isDisabledByDefault: !isSent,
    };
  };
  const others = Object.keys(properties).filter((name) => !Object.hasOwn(example, name));
  return [...Object.keys(example), ...others].map(row);
}

/**
 * Replaces each form's example with rows for Scalar's console, which then sends the fields of the example. If the
 * example were an object, the console would send only the required fields. Mutates the given document.
 */
export function makeFormRows(document: OpenApiDocument): OpenApiDocument {
  const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
  for (const { requestBody } of operations) {
    const form: MediaType | undefined = requestBody?.content['multipart/form-data'];
    if (form?.schema === undefined || form.example === undefined) continue;
    const { properties = {} } = resolveReference(document, form.schema) as { properties?: Record<string, Property> };
    form.example = makeRows(properties, form.example as Record<string, unknown>);
  }
  return document;
}
