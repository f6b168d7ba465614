import type * as z from 'zod';
import type { Endpoint } from '../../endpoints/endpoint.ts';
import type { v1Routes } from '../../endpoints/routes-v1.ts';
import { type ErrorCode, errorCodes } from '../../errors/error-codes.ts';
import { universalErrors } from '../../errors/error-groups.ts';
import { errorHints } from '../../errors/error-hints.ts';
import { problemMediaType } from '../../errors/problem.ts';
import { rateClassOf } from '../../policy/rate-limits.ts';
import { documentationPage } from '../../texts/site/pages.ts';
import { creditHeaders, rateHeaders, type V1ResponseHeader, v1ResponseHeaders } from '../../v1/headers.ts';
import { v1Summaries } from '../v1-summaries.ts';
import { bodyExamples, formExamples, makeResponseExamples } from './examples.ts';
import {
  type JsonSchema,
  type MediaType,
  makeReference,
  type Operation,
  type Parameter,
  type Reference,
  type RequestBody,
  type ResponseObject,
  type SharedComponents,
} from './open-api.ts';
import { describeAliases, fieldsOf, schemaOf } from './schemas.ts';

type V1Name = keyof typeof v1Summaries;
/** Creates an operation, and adds shared parameters and responses to `parts`. */
export function makeOperation(name: V1Name, endpoint: Endpoint, parts: SharedComponents): Operation {
  const { auth, scope } = endpoint;
  const { tag, summary, description } = v1Summaries[name];
  // Names the scope in the description, because bearer schemes have no scopes, and tools would report scopes in
  // `security` as undefined.
  const needs = auth === 'key' && scope ? `Requires an API key with the \`${scope}\` scope.` : '';
  const parameters = [
    ...pathParametersOf(endpoint),
    ...queryParametersOf(endpoint, parts),
    ...requestHeadersOf(endpoint),
  ];
  const requestBody = bodyOf(name, endpoint);
  return {
    // `v1GetJob` -> `getJob`.
    operationId: name.charAt(2).toLowerCase() + name.slice(3),
    tags: [tag],
    summary,
    description: [description, needs].filter(Boolean).join('\n\n'),
    security: auth === 'key' ? [{ apiKey: [] }] : [],
    ...(parameters.length > 0 && { parameters }),
    ...(requestBody && { requestBody }),
    responses: makeResponses(name, endpoint, parts),
  };
}

/** Moves the default from the schema to the description, because API consoles would send it. */
function toParameter(place: Parameter['in'], given: ReturnType<typeof fieldsOf>[number]): Parameter {
  const { name, field, required } = given;
  const { description, default: usual, ...schema } = field;
  const others = schema['x-aliases'] as string[] | undefined;
  const names = others ? describeAliases(others) : '';
  const assumed = usual === undefined ? '' : ` Default: \`${String(usual)}\`.`;
  const text = [description, names, assumed]
    .filter(Boolean)
    .map((part) => String(part).trim())
    .join(' ');
  return {
    name,
    in: place,
    ...(required && { required }),
    ...(text && { description: text }),
    schema,
    ...(!required && makeDisabledExample(schema)),
  };
}

/** Returns a disabled example for an enum. Without it, Scalar's console would send the first enum value. */
const makeDisabledExample = ({ enum: choices }: JsonSchema): Pick<Parameter, 'examples'> =>
  Array.isArray(choices) ? { examples: { default: { value: choices[0], 'x-disabled': true } } } : {};

const pathParametersOf = ({ params }: Endpoint) =>
  params ? fieldsOf(params).map((given) => toParameter('path', given)) : [];

function queryParametersOf({ query, docs }: Endpoint, { parameters }: SharedComponents): (Parameter | Reference)[] {
  if (query) return fieldsOf(query).map((given) => toParameter('query', given));
  if (!docs?.queryFields) return [];
  return fieldsOf(docs.queryFields).map((given) => {
    const key = `query.${given.name}`;
    parameters[key] = toParameter('query', given);
    return makeReference('parameters', key);
  });
}

const requestHeadersOf = ({ docs }: Endpoint): Reference[] =>
  (docs?.requestHeaders ?? []).map((name) => makeReference('parameters', name));

const examples: Record<string, Partial<Record<V1Name, unknown>>> = {
  'application/json': bodyExamples,
  'multipart/form-data': formExamples,
};

function bodyOf(name: V1Name, { body, docs }: Endpoint): RequestBody | undefined {
  const bodies: Record<string, z.ZodType> = docs?.requestBodies ?? (body ? { 'application/json': body } : {});
  const types = Object.keys(bodies);
  if (types.length === 0) return undefined;
  const content = Object.entries(bodies).map(([type, schema]): [string, MediaType] => {
    const example = examples[type]?.[name];
    const side = type === 'multipart/form-data' ? 'form' : 'input';
    return [type, { schema: schemaOf(schema, side), ...(example !== undefined && { example }) }];
  });
  const isNeeded = docs?.queryFields === undefined && !(body?.safeParse(undefined).success ?? false);
  return { ...(isNeeded && { required: true }), content: Object.fromEntries(content) };
}

/** Adds errors to `parts`, because endpoints share them. */
function makeResponses(
  name: keyof typeof v1Routes,
  endpoint: Endpoint,
  parts: SharedComponents,
): Operation['responses'] {
  const { answers, docs } = endpoint;
  const headers = (status: number | string) => responseHeadersOf(name, endpoint, Number(status));
  const documented = Object.entries(answers).map(([status, schema]): [string, ResponseObject] => {
    const content = contentOf(schema, docs?.responseType, makeResponseExamples(parts.publicUrl)[name]);
    const others = status === '200' ? otherContentOf(docs) : {};
    const described = {
      description: docs?.statuses?.[Number(status)] ?? descriptions[status] ?? 'Success.',
      headers: headers(status),
    };
    return [status, { ...described, ...(content && { content: { ...content, ...others } }) }];
  });
  const others = Object.entries(docs?.otherStatuses ?? {}).map(([status, description]): [string, ResponseObject] => [
    status,
    { description, headers: headers(status) },
  ]);
  const errors = groupErrorsByStatus(endpoint).map(([status, codes]): [number, Reference] => [
    status,
    shareError(parts, status, makeError(codes, headers(status), parts.publicUrl)),
  ]);
  return Object.fromEntries<ResponseObject | Reference>([...documented, ...others, ...errors]);
}

const descriptions: Record<string, string> = {
  200: 'Success.',
  201: 'Created.',
  202: 'Accepted. Processing continues.',
  204: 'Success. No response body.',
  206: 'The requested range.',
};

function contentOf(schema: z.ZodType, type: string | undefined, example: unknown): ResponseObject['content'] {
  if (type) return { [type]: { schema: { type: 'string', format: 'binary' } } };
  if (schema.def.type === 'null') return undefined;
  const json = { schema: schemaOf(schema, 'output'), ...(example !== undefined && { example }) };
  return { 'application/json': json };
}

/** Types that start with `text/` are documented as text, and all others as binary. */
const otherContentOf = (docs: Endpoint['docs']): Record<string, MediaType> =>
  Object.fromEntries(
    Object.entries(docs?.otherTypes ?? {}).map(([type, description]) => {
      const format = type.startsWith('text/') ? {} : { format: 'binary' };
      return [type, { schema: { type: 'string', ...format, description } }];
    }),
  );

function groupErrorsByStatus({ errors }: Endpoint): [status: number, codes: ErrorCode[]][] {
  const codes = [...new Set<ErrorCode>([...errors, ...universalErrors])].toSorted();
  const statuses = [...new Set(codes.map((code) => errorCodes[code].status))].toSorted((a, b) => a - b);
  return statuses.map((status) => [status, codes.filter((code) => errorCodes[code].status === status)]);
}

function errorExampleOf(code: ErrorCode, publicUrl: string) {
  const { status, title } = errorCodes[code];
  const hint = errorHints[code];
  return {
    code,
    status,
    detail: title,
    ...(hint && { hint }),
    request_id: v1ResponseHeaders['X-Request-Id'].example,
    documentation_url: `${publicUrl}${documentationPage}#${code}`,
  };
}

function makeError(codes: readonly ErrorCode[], headers: Record<string, Reference>, publicUrl: string): ResponseObject {
  const schema = {
    allOf: [makeReference('schemas', 'Problem')],
    properties: { code: { description: 'Error code.', enum: [...codes] } },
  };
  const examples = Object.fromEntries(codes.map((code) => [code, { value: errorExampleOf(code, publicUrl) }]));
  return {
    description: codes.map((code) => `\`${code}\`: ${errorCodes[code].title}`).join('\n\n'),
    headers,
    content: { [problemMediaType]: { schema, examples } },
  };
}

function shareError({ responses }: SharedComponents, status: number, answer: ResponseObject): Reference {
  const text = JSON.stringify(answer);
  const others = Object.keys(responses).filter((name) => name.startsWith(`Error${status}`));
  const same = others.find((name) => JSON.stringify(responses[name]) === text);
  const name = same ?? `Error${status}${others.length === 0 ? '' : `-${others.length + 1}`}`;
  responses[name] = answer;
  return makeReference('responses', name);
}

function responseHeadersOf(
  name: keyof typeof v1Routes,
  { docs, scope, auth }: Endpoint,
  status: number,
): Record<string, Reference> {
  const isError = status >= 400;
  // Responses with these statuses are sent before authentication, so the caller's limits and credits aren't known.
  const isCounted = status !== 401 && status !== 431;
  const hasCredits = auth === 'key' && (scope === 'process' || name === 'v1Account') && status !== 429 && status < 500;
  const names: V1ResponseHeader[] = [
    'X-Request-Id',
    ...(isCounted && rateClassOf(name) ? rateHeaders : []),
    ...(isCounted && hasCredits ? creditHeaders : []),
    ...((!isError && docs?.responseHeaders) || []),
    ...(isError ? (['X-Error-Code'] as const) : []),
    ...(status === 401 ? (['WWW-Authenticate'] as const) : []),
    ...(status === 429 || status === 503 ? (['Retry-After'] as const) : []),
  ];
  return Object.fromEntries(names.map((header) => [header, makeReference('headers', header)]));
}
