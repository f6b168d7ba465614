import type * as z from 'zod';
import type { Endpoint } from '../../endpoints/endpoint.ts';
import type { RouteName } from '../../endpoints/routes.ts';
import { v1Summaries } from '../v1-summaries.ts';
import { errorAnswer, errorsByStatus } from './errors.ts';
import { answerExamples, bodyExamples } from './examples.ts';
import { answerHeaders } from './headers.ts';
import {
  type Answer,
  type JsonSchema,
  type MediaType,
  type Operation,
  type Parameter,
  type Reference,
  type RequestBody,
  refer,
} from './open-api.ts';
import type { Parts } from './parts.ts';
import { fieldsOf, schemaOf } from './schemas.ts';

type V1Name = keyof typeof v1Summaries;
export type Row = { name: V1Name & RouteName; endpoint: Endpoint };

/** `v1GetJob` -> `getJob`. */
export const operationId = (name: string) => name.charAt(2).toLowerCase() + name.slice(3);

const json = 'application/json';
const bytes: JsonSchema = { type: 'string', format: 'binary' };

/** Makes an operation. Shared parameters and responses are added to `parts`. */
export function makeOperation({ name, endpoint }: Row, parts: Parts): Operation {
  const { auth, scope } = endpoint;
  const { tag, summary, description } = v1Summaries[name];
  const parameters = [...pathOf(endpoint), ...queryOf(endpoint, parts), ...headersOf(endpoint)];
  const requestBody = bodyOf(name, endpoint);
  return {
    operationId: operationId(name),
    tags: [tag],
    summary,
    ...(description && { description }),
    security: auth === 'key' ? [{ apiKey: scope ? [scope] : [] }] : [],
    ...(parameters.length > 0 && { parameters }),
    ...(requestBody && { requestBody }),
    responses: { ...answersOf(name, endpoint, parts), ...errorsOf(name, endpoint, parts) },
  };
}

/** Converts a field to a parameter. The default moves to the description, because API consoles would send it. */
function parameterOf(place: Parameter['in'], given: ReturnType<typeof fieldsOf>[number]): Parameter {
  const { name, field, required } = given;
  const { description, default: usual, ...schema } = field;
  const others = schema['x-aliases'] as string[] | undefined;
  const names = others ? ` Aliases: ${others.map((other) => `\`${other}\``).join(', ')}.` : '';
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

function queryOf({ query, docs }: Endpoint, parts: Parts): (Parameter | Reference)[] {
  if (query) return fieldsOf(query).map((given) => parameterOf('query', given));
  if (!docs?.queryFields) return [];
  return fieldsOf(docs.queryFields).map((given) => parts.share(`query.${given.name}`, parameterOf('query', given)));
}

const headersOf = ({ docs }: Endpoint): Reference[] =>
  (docs?.requestHeaders ?? []).map((name) => refer('parameters', name));

function bodyOf(name: V1Name, { body, docs }: Endpoint): RequestBody | undefined {
  const bodies: Record<string, z.ZodType> = docs?.requestBodies ?? (body ? { [json]: body } : {});
  const types = Object.keys(bodies);
  if (types.length === 0) return undefined;
  const content = Object.entries(bodies).map(([type, schema]): [string, MediaType] => {
    const example = bodyExamples[name]?.[type];
    return [type, { schema: schemaOf(schema, 'input'), ...(example !== undefined && { example }) }];
  });
  const isNeeded = docs?.queryFields === undefined && !(body?.safeParse(undefined).success ?? false);
  return { ...(isNeeded && { required: true }), content: Object.fromEntries(content) };
}

function answersOf(name: V1Name & RouteName, endpoint: Endpoint, { publicUrl }: Parts): Record<string, Answer> {
  const { answers, docs } = endpoint;
  const headers = (status: number) => answerHeaders(name, endpoint, status);
  const others = Object.entries(docs?.otherStatuses ?? {}).map(([status, description]) => [
    status,
    { description, headers: headers(Number(status)) },
  ]);
  const documented = Object.entries(answers).map(([status, schema]) => {
    const content = contentOf(schema, docs?.responseType, answerExamples(publicUrl)[name]);
    return [status, { description: descriptions[status] ?? 'Success.', headers: headers(Number(status)), ...content }];
  });
  return Object.fromEntries([...documented, ...others]);
}

const descriptions: Record<string, string> = {
  200: 'Success.',
  201: 'Created.',
  202: 'Accepted. Processing continues.',
  204: 'Success. No response body.',
  206: 'The requested range.',
};

function contentOf(schema: z.ZodType, type: string | undefined, example: unknown): Pick<Answer, 'content'> {
  if (type) return { content: { [type]: { schema: bytes } } };
  if (schema.def.type === 'null') return {};
  return { content: { [json]: { schema: schemaOf(schema, 'output'), ...(example !== undefined && { example }) } } };
}

function errorsOf(name: V1Name & RouteName, endpoint: Endpoint, parts: Parts): Record<string, Reference> {
  return Object.fromEntries(
    errorsByStatus(endpoint).map(([status, codes]) => {
      const answer = errorAnswer(codes, answerHeaders(name, endpoint, status), parts.publicUrl);
      return [status, parts.shareAnswer(status, answer)];
    }),
  );
}
