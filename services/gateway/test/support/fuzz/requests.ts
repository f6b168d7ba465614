import type { JsonSchema, OpenApiDocument, Operation, Parameter } from '@uprez/contracts/docs/openapi/open-api';
import fc from 'fast-check';
import { bodyOf } from './bodies.ts';
import { brokenText } from './broken.ts';
import { encode, pathOf } from './paths.ts';
import { objectOf, type Resolve } from './values.ts';

/** Fixtures that requests can use. */
export type World = { images: Buffer[]; key: string; wrongKeys: string[] };
export type Call = { path: string; method: string; operation: Operation };
export type FuzzRequest = Call & {
  url: string;
  headers: Record<string, string>;
  body?: Buffer;
  /** Whether all of the request matches the document. */
  isValid: boolean;
};

const part = (document: OpenApiDocument, ref: string): unknown =>
  ref
    .slice(2)
    .split('/')
    .reduce<unknown>((value, name) => (value as Record<string, unknown>)[name], document);

/** Generates requests for all operations of a document, about half of them invalid. */
export function openRequests(document: OpenApiDocument, world: World) {
  const resolve: Resolve = (schema) =>
    typeof schema.$ref === 'string' ? resolve(part(document, schema.$ref) as JsonSchema) : schema;
  const calls = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]): Call => ({ path, method: method.toUpperCase(), operation })),
  );
  const requests = calls.map((call) => ({
    arbitrary: requestOf(call, { document, world, resolve }),
    // Operations with more content types need more requests.
    weight: 1 + Object.keys(call.operation.requestBody?.content ?? {}).length,
  }));
  return { calls, request: fc.oneof(...requests) };
}

type Needs = { document: OpenApiDocument; world: World; resolve: Resolve };

function requestOf(call: Call, needs: Needs): fc.Arbitrary<FuzzRequest> {
  const { operation } = call;
  const parameters = (operation.parameters ?? []).map((one) =>
    '$ref' in one ? (part(needs.document, one.$ref) as Parameter) : one,
  );
  const places = (place: Parameter['in']) => parameters.filter((one) => one.in === place);
  return fc.boolean().chain((isValid) =>
    fc
      .tuple(
        pathOf(call.path, isValid),
        queryOf(places('query'), needs, isValid),
        headersOf(places('header'), isValid),
        bodyOf(operation, { images: needs.world.images, resolve: needs.resolve }, isValid),
        keyOf(operation, needs.world, isValid),
      )
      .map(([path, query, headers, body, key]) => ({
        ...call,
        ...body,
        url: path + query,
        headers: clean({ ...headers, ...body.headers, ...key }),
        isValid,
      })),
  );
}

/** Removes line breaks and characters that headers cannot contain. */
const clean = (headers: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      value.replace(/[^\t\x20-\x7e\xa0-\xff]/g, '').slice(0, 2_000),
    ]),
  );

/** Encodes a query parameter. */
const pair = ([name, value]: [string, unknown]) =>
  `${encode(name)}=${encode(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))}`;
const asQuery = (pairs: string[]) =>
  pairs.length > 0 ? `?${pairs.join('&')}`.slice(0, 12_000).replace(/%.?$/, '') : '';

function queryOf(parameters: Parameter[], { resolve }: Needs, isValid: boolean): fc.Arbitrary<string> {
  const properties = Object.fromEntries(parameters.map(({ name, schema }) => [name, schema]));
  const required = parameters.filter((one) => one.required).map(({ name }) => name);
  const valid = objectOf({ type: 'object', properties, required }, resolve).map(Object.entries<unknown>);
  if (isValid) return valid.map((pairs) => asQuery(pairs.map(pair)));
  const names = fc.constantFrom(...Object.keys(properties), 'unknown', '__proto__', 'api_key');
  const broken = fc.tuple(names, brokenText).map(([name, value]): [string, unknown] => [name, value]);
  return fc
    .tuple(valid, fc.array(broken, { maxLength: 2 }), fc.constantFrom(1, 1, 1, 2, 300))
    .map(([good, bad, times]) =>
      asQuery(
        Array.from({ length: times }, () => [...good, ...bad])
          .flat()
          .map(pair),
      ),
    );
}

const preferences = ['respond-async', 'respond-async', 'respond-async', 'wait=0', 'wait=1', 'wait=1, handling=lenient'];

function headersOf(parameters: Parameter[], isValid: boolean): fc.Arbitrary<Record<string, string>> {
  const values: Record<string, fc.Arbitrary<string>> = {
    // Long waiting times only slow the test down.
    Prefer: fc.constantFrom(...preferences),
    'Idempotency-Key': isValid ? fc.stringMatching(/^[a-z0-9-]{1,20}$/) : brokenText,
    Range: isValid
      ? fc.constantFrom('bytes=0-9', 'bytes=5-')
      : fc.constantFrom('bytes=-1', 'bytes=9-1', 'bytes=x', 'lines=1-2', `bytes=${'0-1,'.repeat(400)}`),
  };
  const named = parameters.flatMap(({ name }) => (values[name] ? [fc.tuple(fc.constant(name), values[name])] : []));
  const always: Record<string, string> = parameters.some(({ name }) => name === 'Prefer')
    ? { Prefer: 'respond-async' }
    : {};
  const strange = isValid
    ? fc.constant({})
    : fc.constantFrom<Record<string, string>>(
        {},
        {},
        {},
        { Accept: 'text/html' },
        { Accept: '*/*;q=x' },
        { 'Content-Encoding': 'gzip' },
        { Origin: 'https://evil.example' },
        { 'X-Forwarded-For': '127.0.0.1, x' },
        { Cookie: 'uprez=x; =; a' },
        { 'If-None-Match': '*' },
      );
  return fc
    .tuple(fc.subarray(named), strange)
    .chain(([chosen, extra]) =>
      fc.tuple(...chosen).map((pairs) => ({ ...always, ...Object.fromEntries(pairs), ...extra })),
    );
}

function keyOf(
  { security }: Operation,
  { key, wrongKeys }: World,
  isValid: boolean,
): fc.Arbitrary<Record<string, string>> {
  const right = { Authorization: `Bearer ${key}` };
  if (security.length === 0) return fc.constant({});
  if (isValid) return fc.constant(right);
  const wrong = ['', 'Bearer', 'Basic YTpi', ...wrongKeys.map((one) => `Bearer ${one}`), `Bearer ${'x'.repeat(1_500)}`];
  return fc.oneof(
    { weight: 12, arbitrary: fc.constant(right) },
    fc.constantFrom(...wrong).map((Authorization) => ({ Authorization })),
  );
}
