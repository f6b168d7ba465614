import { v1Routes } from '../../endpoints/routes-v1.ts';
import { v1Endpoints } from '../../endpoints/v1.ts';
import { sandbox } from '../../policy/sandbox.ts';
import { keyPrefixes } from '../../schemas/api-keys.ts';
import { type EventType, eventTypes } from '../../schemas/webhook-events.ts';
import { documentationPage, sitePaths } from '../../texts/site/pages.ts';
import { v1EventSchema } from '../../v1/events.ts';
import { v1RequestHeaders, v1ResponseHeaders } from '../../v1/headers.ts';
import { apiVersion } from '../changelog.ts';
import { v1Summaries, v1Tags } from '../v1-summaries.ts';
import { makeExampleEvent, makeExampleJob } from './examples.ts';
import type {
  MediaType,
  Method,
  OpenApiDocument,
  Operation,
  Parameter,
  PathItem,
  SharedComponents,
} from './open-api.ts';
import { makeOperation } from './operation.ts';
import { makeNamedSchemas, schemaOf } from './schemas.ts';

const sandboxTag = 'Sandbox';

/** Makes the OpenAPI 3.1 document of the public API from the endpoint table. */
export function makeOpenApi(publicUrl: string): OpenApiDocument {
  const parts: SharedComponents = { publicUrl, parameters: {}, responses: {} };
  const paths: Record<string, PathItem> = {};
  for (const name of Object.keys(v1Summaries) as (keyof typeof v1Summaries)[]) {
    const { method, path } = v1Routes[name];
    const operation = makeOperation(name, v1Endpoints[name], parts);
    const verb = method.toLowerCase() as Method;
    const documented = path.replace(/:(\w+)/g, '{$1}');
    paths[documented] = { ...paths[documented], [verb]: operation };
    if (v1Endpoints[name].auth !== 'key') continue;
    const inSandbox = documented.replace(/^\/v1/, sandbox.prefix);
    paths[inSandbox] = { ...paths[inSandbox], [verb]: toSandboxOperation(operation) };
  }
  const { parameters, responses } = parts;
  return {
    openapi: '3.1.0',
    info: makeInfo(publicUrl),
    externalDocs: { description: 'Documentation', url: `${publicUrl}${documentationPage}` },
    servers: [
      { url: publicUrl, description: 'This installation' },
      { url: `${publicUrl}/api`, description: 'Alias' },
    ],
    tags: listTags(),
    paths,
    webhooks: makeWebhooks(publicUrl),
    components: {
      securitySchemes: { apiKey: securityScheme },
      schemas: makeNamedSchemas(),
      parameters: { ...makeRequestHeaders(), ...parameters },
      headers: makeHeaderComponents(),
      responses,
    },
  };
}

const toSandboxOperation = (operation: Operation): Operation => ({
  ...operation,
  operationId: `sandbox${operation.operationId.charAt(0).toUpperCase()}${operation.operationId.slice(1)}`,
  tags: [sandboxTag],
});

const makeInfo = (publicUrl: string) => ({
  title: 'Uprez API',
  version: apiVersion,
  summary: 'Resize, convert, and upscale images.',
  description: [
    'Send your API key as `Authorization: Bearer YOUR_API_KEY` with each request. Responses are JSON with field names in snake_case. Requests accept field names in snake_case, camelCase, and kebab-case.',
    'Error responses use `application/problem+json`. They contain a `code`, a `hint`, and a link to the documentation. Validation errors also contain the invalid field in `param` and its `allowed` values.',
    `All endpoints are also available under \`/api/v1\`. Requests under \`${sandbox.prefix}\`, and requests with sandbox keys (\`${keyPrefixes.test}\`), use the sandbox. In the sandbox, results are limited to ${sandbox.maxSide} pixels per side, and nothing is charged.`,
  ].join('\n\n'),
  termsOfService: `${publicUrl}${sitePaths.terms}`,
  contact: { name: 'Uprez', url: `${publicUrl}${sitePaths.contact}` },
  license: { name: 'MIT License', identifier: 'MIT' },
});

const listTags = () => [
  ...Object.entries(v1Tags).map(([name, description]) => ({ name, description })),
  {
    name: sandboxTag,
    description: `The same endpoints for testing, at no charge. Results have at most ${sandbox.maxSide} pixels per side and are deleted after ${sandbox.maxHours} hour. Sandbox jobs and batches are available only here and with sandbox keys.`,
  },
];

const securityScheme = {
  type: 'http',
  scheme: 'bearer',
  bearerFormat: `${keyPrefixes.live}... or ${keyPrefixes.test}...`,
  description: 'An API key from your dashboard.',
};

const headerSchemas = {
  text: { type: 'string' },
  count: { type: 'integer', minimum: 0 },
  time: { type: 'string', format: 'date-time' },
  uuid: { type: 'string', format: 'uuid' },
} as const;

const makeHeaderComponents = (): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(v1ResponseHeaders).map(([name, { description, kind, example }]) => [
      name,
      { description, schema: headerSchemas[kind], example: kind === 'count' ? Number(example) : example },
    ]),
  );

const makeRequestHeaders = (): Record<string, Parameter> =>
  Object.fromEntries(
    Object.entries(v1RequestHeaders).map(([name, { description, kind }]) => [
      name,
      // No example, because API consoles would send it.
      { name, in: 'header', description, schema: { ...headerSchemas[kind] } },
    ]),
  );

const webhookHeaders = {
  'webhook-id': 'ID of the event. Every attempt to deliver it has the same ID.',
  'webhook-timestamp': 'Unix time in seconds. Reject deliveries that are more than 300 seconds old.',
  'webhook-signature':
    "`v1,` followed by the base64-encoded HMAC-SHA256 of `{webhook-id}.{webhook-timestamp}.{body}` with the endpoint's secret. During a secret rotation, it contains 2 signatures, separated by a space.",
};

function makeWebhooks(publicUrl: string): Record<string, { post: unknown }> {
  const rows = v1EventSchema.options.flatMap((option) =>
    option.shape.type.options.map((type: EventType) => {
      const example = type === 'job.completed' && { example: makeExampleEvent(makeExampleJob(publicUrl)) };
      return [type, { post: makeDeliveryOperation(type, { schema: schemaOf(option, 'output'), ...example }) }];
    }),
  );
  return Object.fromEntries(rows);
}

const makeDeliveryOperation = (type: EventType, content: MediaType) => ({
  operationId: `on-${type}`,
  tags: ['Webhooks'],
  summary: eventTypes[type],
  description:
    'Signed according to Standard Webhooks. Respond with a status from 200 to 299 within the time limit. Redirects are not followed. A 410 response disables the endpoint. After any other response, the delivery is retried.',
  security: [],
  parameters: Object.entries(webhookHeaders).map(([name, description]) => ({
    name,
    in: 'header',
    required: true,
    description,
    schema: { type: 'string' },
  })),
  requestBody: { required: true, content: { 'application/json': content } },
  responses: {
    '2XX': { description: 'Delivered.' },
    '410': { description: 'Gone. The endpoint is disabled and receives no further deliveries.' },
  },
});
