import type {
  JsonSchema,
  OpenApiDocument,
  Operation,
  Reference,
  ResponseObject,
} from '@uprez/contracts/docs/openapi/open-api';
import { rateHeaders } from '@uprez/contracts/v1/headers';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

export type Answered = { status: number; headers: Headers; body: string };

/** Headers required in responses that document them. Some errors are sent before calls are counted. */
const always = ['X-Request-Id', 'X-Error-Code', 'Retry-After', 'WWW-Authenticate'];
const whenDone = [...rateHeaders, 'X-Credits-Charged'];

/** Disallows undocumented fields in every object of a schema. */
function closeSchemas(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closeSchemas);
  if (value === null || typeof value !== 'object') return value;
  const closed = Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, closeSchemas(inner)]));
  const isWhole = closed.type === 'object' && closed.properties && closed.additionalProperties === undefined;
  return isWhole ? { ...closed, additionalProperties: false } : closed;
}

/** Validates responses against an OpenAPI document. */
export function openAnswerChecker(document: OpenApiDocument) {
  const ajv = new Ajv2020({ strict: false, allErrors: true, unicodeRegExp: true });
  addFormats.default(ajv);
  for (const name of ['binary', 'base64']) ajv.addFormat(name, true);
  const { components } = closeSchemas({ components: document.components }) as Pick<OpenApiDocument, 'components'>;
  ajv.addSchema({ $id: 'document', components });
  const compiled = new Map<string, ValidateFunction>();

  const compile = (schema: JsonSchema): ValidateFunction => {
    const text = JSON.stringify(closeSchemas(schema)).replaceAll('"$ref":"#/', '"$ref":"document#/');
    const known = compiled.get(text) ?? ajv.compile(JSON.parse(text) as JsonSchema);
    compiled.set(text, known);
    return known;
  };
  const errorsOf = (schema: JsonSchema, value: unknown): string[] => {
    const validate = compile(schema);
    if (validate(value)) return [];
    return (validate.errors ?? []).map(({ instancePath, message, params }) =>
      `${instancePath} ${message} ${JSON.stringify(params)}`.trim(),
    );
  };
  const find = (one: ResponseObject | Reference): ResponseObject =>
    '$ref' in one ? (document.components.responses[one.$ref.split('/').at(-1) ?? ''] as ResponseObject) : one;

  return {
    errorsOf,
    /** Returns the validation errors of a response of an operation. */
    check: (operation: Operation, { status, headers, body }: Answered): string[] => {
      const told = operation.responses[status];
      if (!told) return [`${status} is no status of it`];
      const { content, headers: named = {} } = find(told);
      const type = headers.get('content-type')?.split(';')[0] ?? '';
      if (!content) return body === '' ? [] : ['has a body'];
      const [mediaType] = Object.entries(content).find(([wanted]) => matches(wanted, type)) ?? [];
      if (!mediaType) return [`${type} is no content type of ${status}`];
      const missing = (status < 300 ? [...always, ...whenDone] : always).filter(
        (name) => name in named && !headers.has(name),
      );
      const schema = content[mediaType]?.schema;
      const wrong = type.endsWith('json') && schema ? errorsOf(schema, JSON.parse(body)) : [];
      return [...missing.map((name) => `no header ${name}`), ...wrong];
    },
  };
}

const matches = (wanted: string, type: string) =>
  wanted === type || (wanted.endsWith('/*') && type.startsWith(wanted.slice(0, -1)));
