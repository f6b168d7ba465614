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

/** One call as the document tells it; what several calls share is put into `parts`. */
export function makeOperation({ name, endpoint }: Row, parts: Parts): Operation {
  const { docs, auth, scope } = endpoint;
  const { tag, says } = v1Summaries[name];
  const parameters = [...pathOf(endpoint), ...queryOf(endpoint, parts), ...headersOf(endpoint)];
  const requestBody = bodyOf(name, endpoint);
  return {
    operationId: operationId(name),
    tags: [tag],
    summary: says,
    ...(docs?.text && { description: docs.text }),
    security: auth === 'key' ? [{ apiKey: scope ? [scope] : [] }] : [],
    ...(parameters.length > 0 && { parameters }),
    ...(requestBody && { requestBody }),
    responses: { ...answersOf(name, endpoint, parts), ...refusalsOf(name, endpoint, parts) },
  };
}

/** A field as a parameter: its sentence belongs to the parameter, and so does its default, which consoles would send. */
function parameterOf(place: Parameter['in'], given: ReturnType<typeof fieldsOf>[number]): Parameter {
  const { name, field, required } = given;
  const { description, default: usual, ...schema } = field;
  const others = schema['x-aliases'] as string[] | undefined;
  const names = others ? ` Also called ${others.map((other) => `\`${other}\``).join(', ')}.` : '';
  const assumed = usual === undefined ? '' : ` Default: \`${String(usual)}\`.`;
  const says = [description, names, assumed]
    .filter(Boolean)
    .map((text) => String(text).trim())
    .join(' ');
  return {
    name,
    in: place,
    ...(required && { required }),
    ...(says && { description: says }),
    schema,
    ...(!required && unchosen(schema)),
  };
}

/** Scalar's console sends the first of several choices, unless that is marked as one that nobody has made. */
const unchosen = ({ enum: choices }: JsonSchema): Pick<Parameter, 'examples'> =>
  Array.isArray(choices) ? { examples: { default: { value: choices[0], 'x-disabled': true } } } : {};

const pathOf = ({ params }: Endpoint) => (params ? fieldsOf(params).map((given) => parameterOf('path', given)) : []);

function queryOf({ query, docs }: Endpoint, parts: Parts): (Parameter | Reference)[] {
  if (query) return fieldsOf(query).map((given) => parameterOf('query', given));
  if (!docs?.fields) return [];
  return fieldsOf(docs.fields).map((given) => parts.share(`query.${given.name}`, parameterOf('query', given)));
}

const headersOf = ({ docs }: Endpoint): Reference[] => (docs?.takes ?? []).map((name) => refer('parameters', name));

function bodyOf(name: V1Name, { body, docs }: Endpoint): RequestBody | undefined {
  const reads: Record<string, z.ZodType> = docs?.reads ?? (body ? { [json]: body } : {});
  const types = Object.keys(reads);
  if (types.length === 0) return undefined;
  const content = Object.entries(reads).map(([type, schema]): [string, MediaType] => {
    const example = bodyExamples[name]?.[type];
    return [type, { schema: schemaOf(schema, 'input'), ...(example !== undefined && { example }) }];
  });
  const isNeeded = docs?.fields === undefined && !(body?.safeParse(undefined).success ?? false);
  return { ...(isNeeded && { required: true }), content: Object.fromEntries(content) };
}

function answersOf(name: V1Name & RouteName, endpoint: Endpoint, { publicUrl }: Parts): Record<string, Answer> {
  const { answers, docs } = endpoint;
  const headers = (status: number) => answerHeaders(name, endpoint, status);
  const also = Object.entries(docs?.also ?? {}).map(([status, description]) => [
    status,
    { description, headers: headers(Number(status)) },
  ]);
  const told = Object.entries(answers).map(([status, schema]) => {
    const content = contentOf(schema, docs?.sends, answerExamples(publicUrl)[name]);
    return [status, { description: descriptions[status] ?? 'Done.', headers: headers(Number(status)), ...content }];
  });
  return Object.fromEntries([...told, ...also]);
}

const descriptions: Record<string, string> = {
  200: 'Done.',
  201: 'Made.',
  202: 'Accepted: it is being made.',
  204: 'Done; there is nothing to tell.',
  206: 'The part that was asked for.',
};

function contentOf(schema: z.ZodType, sends: string | undefined, example: unknown): Pick<Answer, 'content'> {
  if (sends) return { content: { [sends]: { schema: bytes } } };
  if (schema.def.type === 'null') return {};
  return { content: { [json]: { schema: schemaOf(schema, 'output'), ...(example !== undefined && { example }) } } };
}

function refusalsOf(name: V1Name & RouteName, endpoint: Endpoint, parts: Parts): Record<string, Reference> {
  return Object.fromEntries(
    errorsByStatus(endpoint).map(([status, codes]) => {
      const answer = errorAnswer(codes, answerHeaders(name, endpoint, status), parts.publicUrl);
      return [status, parts.shareAnswer(status, answer)];
    }),
  );
}
