import type * as z from 'zod';
import type { Endpoint } from '../../endpoints/endpoint.ts';
import { v1Summaries } from '../v1-summaries.ts';
import { bodyExamples, formExamples } from './examples.ts';
import {
  type JsonSchema,
  type MediaType,
  type Operation,
  type Parameter,
  type Parts,
  type Reference,
  type RequestBody,
  refer,
} from './open-api.ts';
import { makeResponses } from './responses.ts';
import { fieldsOf, schemaOf } from './schemas.ts';
import { describeAliases } from './tidy-schema.ts';

type V1Name = keyof typeof v1Summaries;
/** Makes an operation. Shared parameters and responses are added to `parts`. */
export function makeOperation(name: V1Name, endpoint: Endpoint, parts: Parts): Operation {
  const { auth, scope } = endpoint;
  const { tag, summary, description } = v1Summaries[name];
  // Bearer schemes have no scopes, so tools report scopes in `security` as undefined.
  const needs = auth === 'key' && scope ? `Requires an API key with the \`${scope}\` scope.` : '';
  const parameters = [...pathOf(endpoint), ...queryOf(endpoint, parts), ...headersOf(endpoint)];
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

/** Converts a field to a parameter. The default moves to the description, because API consoles would send it. */
function parameterOf(place: Parameter['in'], given: ReturnType<typeof fieldsOf>[number]): Parameter {
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
    ...(!required && unchosen(schema)),
  };
}

/** Scalar's console sends the first enum value unless an example of it is disabled. */
const unchosen = ({ enum: choices }: JsonSchema): Pick<Parameter, 'examples'> =>
  Array.isArray(choices) ? { examples: { default: { value: choices[0], 'x-disabled': true } } } : {};

const pathOf = ({ params }: Endpoint) => (params ? fieldsOf(params).map((given) => parameterOf('path', given)) : []);

function queryOf({ query, docs }: Endpoint, { parameters }: Parts): (Parameter | Reference)[] {
  if (query) return fieldsOf(query).map((given) => parameterOf('query', given));
  if (!docs?.queryFields) return [];
  return fieldsOf(docs.queryFields).map((given) => {
    const key = `query.${given.name}`;
    parameters[key] = parameterOf('query', given);
    return refer('parameters', key);
  });
}

const headersOf = ({ docs }: Endpoint): Reference[] =>
  (docs?.requestHeaders ?? []).map((name) => refer('parameters', name));

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
