import { Validator } from '@seriousme/openapi-schema-validator';
import { makeOpenApi } from '@uprez/contracts/docs/openapi/make-open-api';
import type { OpenApiDocument, Operation } from '@uprez/contracts/docs/openapi/open-api';
import { serviceRoutes } from '@uprez/contracts/endpoints/routes-v1';
import { sandbox } from '@uprez/contracts/policy/sandbox';
import { Ajv2020 } from 'ajv/dist/2020.js';
import Fastify from 'fastify';
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';
import { beforeAll, expect, it } from 'vitest';
import type { App } from '../../src/app-type.ts';
import type { Deps } from '../../src/deps.ts';
import { registerV1Routes } from '../../src/v1/v1-plugin.ts';
import { openAnswerChecker } from '../support/check-answer.ts';
import { shareTestGateway } from '../support/share-test-gateway.ts';
import { publicHost } from '../support/start-test-gateway.ts';

const publicUrl = `http://${publicHost}`;
let document: OpenApiDocument;
const gateway = shareTestGateway();
beforeAll(async () => {
  document = (await (await fetch(`${gateway.url}/v1/openapi.json`)).json()) as OpenApiDocument;
});

const operations = (): [path: string, method: string, operation: Operation][] =>
  Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]): [string, string, Operation] => [path, method, operation]),
  );

/** Returns the routes that Fastify registers under `/v1`. */
async function listRegistered(): Promise<string[]> {
  const registered: string[] = [];
  const app = Fastify();
  app.setValidatorCompiler(validatorCompiler).setSerializerCompiler(serializerCompiler);
  app.addHook('onRoute', ({ method, url }) => {
    for (const one of [method].flat())
      if (/^\/v1(\/|$)/.test(url) && one !== 'HEAD') registered.push(`${one} ${url.replace(/:(\w+)/g, '{$1}')}`);
  });
  const deps = { config: { PUBLIC_URL: publicUrl } } as unknown as Deps;
  await app.register(
    (scope, _options, done) => {
      registerV1Routes(scope as unknown as App, deps, new AbortController().signal);
      done();
    },
    { prefix: '/v1' },
  );
  await app.ready();
  return registered.toSorted();
}

it('is valid OpenAPI 3.1 whose schemas are valid JSON Schemas', async () => {
  expect(document.openapi).toBe('3.1.0');
  expect(await new Validator().validate(document as never)).toEqual({ valid: true });
  const ajv = new Ajv2020({ strict: false, validateFormats: false }).addSchema({ $id: 'document', ...document });
  const schemas = JSON.stringify(document, (name, value: unknown) => {
    if (name === 'schema') expect(ajv.validateSchema(value as object), JSON.stringify(value)).toBe(true);
    return value;
  });
  for (const [, ref = ''] of schemas.matchAll(/"\$ref":"#([^"]+)"/g))
    expect(() => ajv.compile({ $ref: `document#${ref}` }), ref).not.toThrow();
});

it('contains exactly the routes served under /v1, without those of service keys', async () => {
  const told = operations()
    .map(([path, method]) => `${method.toUpperCase()} ${path}`)
    .filter((route) => !route.includes(` ${sandbox.prefix}/`));
  const hidden = Object.values(serviceRoutes).map(({ method, path }) => `${method} ${path}`);
  expect([...told, ...hidden].toSorted()).toEqual(await listRegistered());
});

it.each([
  ['br, gzip', 'br'],
  ['gzip', 'gzip'],
  ['identity', null],
  ['br;q=0, gzip;q=0.5', 'gzip'],
])('is sent to clients that accept "%s" with the encoding %s', async (accepted, encoding) => {
  const response = await fetch(`${gateway.url}/v1/openapi.json`, { headers: { 'accept-encoding': accepted } });
  expect([response.status, response.headers.get('content-encoding')]).toEqual([200, encoding]);
  expect(response.headers.get('vary')).toMatch(/accept-encoding/i);
  expect(await response.json()).toHaveProperty('openapi', '3.1.0');
  const small = await fetch(`${gateway.url}/v1/account`, { headers: { 'accept-encoding': accepted } });
  expect(small.headers.get('content-encoding')).toBeNull();
});

// One that is compressed for each request is sent in chunks, and takes the gateway 20 times the CPU time of another request.
it.each(['/v1/openapi.json', '/v1/postman.json', '/llms.txt'])(
  'compresses %s before it is asked for again',
  async (path) => {
    const { headers } = await fetch(gateway.url + path, { headers: { 'accept-encoding': 'br' } });
    expect([headers.get('content-encoding'), Number(headers.get('content-length')) > 1_000]).toEqual(['br', true]);
  },
);

it('contains a sandbox path for every endpoint that requires a key', () => {
  const withKey = operations().filter(
    ([path, , { security }]) => security.length > 0 && !path.startsWith(sandbox.prefix),
  );
  expect(withKey.length).toBeGreaterThan(10);
  for (const [path, method] of withKey)
    expect(document.paths[path.replace('/v1', sandbox.prefix)], path).toHaveProperty(method);
});

it('has unique operation IDs, summaries, content types, and response headers', () => {
  const ids = operations().map(([, , { operationId }]) => operationId);
  expect(new Set(ids).size).toBe(ids.length);
  const process = document.paths['/v1/process']?.post;
  expect(Object.keys(process?.requestBody?.content ?? {})).toEqual([
    'multipart/form-data',
    'image/*',
    'application/octet-stream',
    'application/json',
  ]);
  expect(Object.keys(process?.responses['202'] ?? {})).toContain('headers');
  expect(process?.responses['202']).toMatchObject({
    headers: Object.fromEntries(
      ['RateLimit-Limit', 'X-RateLimit-Limit', 'X-Request-Id', 'X-Job-Id', 'X-Credits-Charged', 'X-Cache'].map(
        (name) => [name, { $ref: `#/components/headers/${name}` }],
      ),
    ),
  });
  for (const [path, , { summary, responses }] of operations()) {
    expect(summary, path).toBeTruthy();
    expect(Object.keys(responses), path).toEqual(expect.arrayContaining(['429', '500', '503']));
  }
});

it('lists all aliases of a field', () => {
  const { properties, patternProperties } = document.components.schemas.ProcessJson as Record<string, object>;
  expect(properties).toMatchObject({
    scale_factor: { minimum: 0.01, maximum: 128, 'x-aliases': ['scaleFactor', 'scale-factor', 'scale', 'factor', 'x'] },
    format: { default: 'jpeg' },
    quality: { default: 85, minimum: 1, maximum: 100 },
  });
  expect(patternProperties).toHaveProperty(['^(scaleFactor|scale-factor|scale|factor|x)$']);
  for (const name of ['ProcessForm', 'BulkForm'])
    expect(document.components.schemas[name], name).not.toHaveProperty('patternProperties');
});

it('has examples that match their schemas', () => {
  const checker = openAnswerChecker(document);
  let count = 0;
  for (const [path, , operation] of operations())
    for (const body of [operation.requestBody, ...Object.values(operation.responses)]) {
      const content = (body && 'content' in body ? body.content : undefined) ?? {};
      for (const { schema, example } of Object.values(content))
        if (schema && example !== undefined) {
          count += 1;
          expect(checker.errorsOf(schema, example), path).toEqual([]);
        }
    }
  for (const { content = {} } of Object.values(document.components.responses))
    for (const { schema, examples = {} } of Object.values(content))
      for (const { value } of Object.values(examples)) expect(checker.errorsOf(schema ?? {}, value)).toEqual([]);
  expect(count).toBeGreaterThan(20);
});

it('is the document that verify checks, with the public URL, and is the same at both URLs', async () => {
  expect(document).toEqual(JSON.parse(JSON.stringify(makeOpenApi(publicUrl))));
  expect(document.servers.map(({ url }) => url)).toEqual([publicUrl, `${publicUrl}/api`]);
  const first = await fetch(`${gateway.url}/v1/openapi.json`);
  const { headers } = await fetch(`${gateway.url}/api/v1/openapi.json`);
  expect(headers.get('etag')).toBe(first.headers.get('etag'));
  const again = await fetch(`${gateway.url}/v1/openapi.json`, {
    headers: { 'if-none-match': headers.get('etag') ?? '' },
  });
  expect(again.status).toBe(304);
});

it('describes the webhook requests', () => {
  expect(Object.keys(document.webhooks)).toContain('job.completed');
  const delivery = document.webhooks['job.failed']?.post as Operation;
  const names = (delivery.parameters ?? []).map((one) => ('name' in one ? one.name : ''));
  expect(names).toEqual(['webhook-id', 'webhook-timestamp', 'webhook-signature']);
});

type PostmanItem = { name: string; item?: PostmanItem[]; request?: { method: string; url: { path: string[] } } };

it('is also available as a Postman collection with every endpoint', async () => {
  const collection = (await (await fetch(`${gateway.url}/v1/postman.json`)).json()) as {
    info: { schema: string };
    item: PostmanItem[];
    variable: { key: string; value: string }[];
  };
  expect(collection.info.schema).toContain('/v2.1.0/');
  expect(collection.variable).toContainEqual({ key: 'base_url', value: publicUrl });
  const calls = collection.item
    .flatMap(({ item = [] }) => item)
    .map(({ request }) => {
      const path = request?.url.path.map((part) => part.replace(/^:(.+)$/, '{$1}')).join('/');
      return `${request?.method} /${path}`;
    });
  expect(calls.toSorted()).toEqual(
    operations()
      .map(([path, method]) => `${method.toUpperCase()} ${path}`)
      .toSorted(),
  );
});
