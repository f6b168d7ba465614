import type { MediaType, OpenApiDocument, Operation, Parameter, Reference } from './open-api.ts';

type Item = { name: string; request: unknown };
type LocatedOperation = { method: string; path: string; operation: Operation };

const schemaUrl = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';

/**
 * Creates a Postman collection (v2.1) from an OpenAPI document, with a folder for each tag and an `api_key` variable.
 */
export function makePostmanCollection(document: OpenApiDocument): Record<string, unknown> {
  const found = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(
      ([method, operation]): LocatedOperation => ({ method: method.toUpperCase(), path, operation }),
    ),
  );
  const folders = document.tags.map(({ name, description }) => ({
    name,
    description,
    item: found.filter(({ operation }) => operation.tags.includes(name)).map((one) => makeItem(one, document)),
  }));
  const { title, description } = document.info;
  return {
    info: { name: title, description, schema: schemaUrl },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{api_key}}', type: 'string' }] },
    variable: [
      { key: 'base_url', value: document.servers[0]?.url ?? '' },
      { key: 'api_key', value: '' },
    ],
    item: folders.filter(({ item }) => item.length > 0),
  };
}

function makeItem({ method, path, operation }: LocatedOperation, document: OpenApiDocument): Item {
  const parameters = (operation.parameters ?? []).map((one) => resolveParameter(one, document));
  const of = (place: Parameter['in']) => parameters.filter((one) => one.in === place);
  const body = bodyOf(operation, document);
  return {
    name: operation.summary,
    request: {
      method,
      description: operation.description,
      ...(operation.security.length === 0 && { auth: { type: 'noauth' } }),
      header: of('header').map((one) => ({ ...toPostmanRow(one), disabled: true })),
      url: {
        raw: `{{base_url}}${path.replace(/\{(\w+)\}/g, ':$1')}`,
        host: ['{{base_url}}'],
        path: path
          .slice(1)
          .replace(/\{(\w+)\}/g, ':$1')
          .split('/'),
        query: of('query').map((one) => ({ ...toPostmanRow(one), disabled: !one.required })),
        variable: of('path').map(toPostmanRow),
      },
      ...(body ? { body } : {}),
    },
  };
}

const toPostmanRow = ({ name, description, schema }: Parameter) => ({
  key: name,
  value: String(schema.default ?? ''),
  ...(description ? { description } : {}),
});

const resolveParameter = (one: Parameter | Reference, { components }: OpenApiDocument): Parameter =>
  '$ref' in one ? (components.parameters[one.$ref.split('/').at(-1) ?? ''] as Parameter) : one;

/**
 * Returns an example body: a form if the operation accepts forms, otherwise JSON, otherwise a file. Returns undefined
 * if the operation has no body.
 */
function bodyOf({ requestBody }: Operation, document: OpenApiDocument): unknown {
  const content = requestBody?.content ?? {};
  const form = content['multipart/form-data'];
  if (form) return { mode: 'formdata', formdata: makeFormRows(form, document) };
  const json = content['application/json'];
  if (!json) return Object.keys(content).length > 0 ? { mode: 'file' } : undefined;
  const raw = JSON.stringify(json.example ?? {}, null, 2);
  return { mode: 'raw', raw, options: { raw: { language: 'json' } } };
}

type Property = { format?: string; items?: Property; description?: string; default?: unknown };

function makeFormRows({ schema }: MediaType, { components }: OpenApiDocument): unknown[] {
  const name = String(schema?.$ref ?? '')
    .split('/')
    .at(-1);
  const { properties = {} } = (components.schemas[name ?? ''] ?? schema ?? {}) as {
    properties?: Record<string, Property>;
  };
  const rows = Object.entries(properties).map(([key, property]) => {
    const description = property.description ? { description: property.description } : {};
    return (property.items ?? property).format === 'binary'
      ? { key, type: 'file', src: [], ...description }
      : { key, type: 'text', value: String(property.default ?? ''), disabled: true, ...description };
  });
  return rows.toSorted((a, b) => Number(b.type === 'file') - Number(a.type === 'file'));
}
