import type { Endpoint } from '../../endpoints/endpoint.ts';
import { endpoints } from '../../endpoints/endpoints.ts';
import { v1Routes } from '../../endpoints/routes-v1.ts';
import { sandbox } from '../../policy/sandbox.ts';
import { keyPrefixes } from '../../schemas/api-keys.ts';
import { documentationPage } from '../../texts/pages.ts';
import { v1Summaries } from '../v1-summaries.ts';
import { headerComponents, requestHeaders } from './headers.ts';
import type { Method, OpenApi, Operation, PathItem } from './open-api.ts';
import { makeOperation } from './operation.ts';
import { openParts } from './parts.ts';
import { namedSchemas } from './schemas.ts';
import { makeWebhooks } from './webhooks.ts';

const sandboxTag = 'Sandbox';
/** Of the contract, not of the product: raised when something is taken away or means something else. */
const version = '1.0.0';

/** The public API as an OpenAPI 3.1 document: every call of the endpoint table, made of the validators that serve it. */
export function makeOpenApi(publicUrl: string): OpenApi {
  const parts = openParts(publicUrl);
  const paths: Record<string, PathItem> = {};
  for (const name of Object.keys(v1Routes) as (keyof typeof v1Routes)[]) {
    const { method, path } = v1Routes[name];
    const operation = makeOperation({ name, endpoint: endpoints[name] as Endpoint }, parts);
    const verb = method.toLowerCase() as Method;
    const told = path.replace(/:(\w+)/g, '{$1}');
    paths[told] = { ...paths[told], [verb]: operation };
    if ((endpoints[name] as Endpoint).auth !== 'key') continue;
    const inSandbox = told.replace(/^\/v1/, sandbox.prefix);
    paths[inSandbox] = { ...paths[inSandbox], [verb]: ofSandbox(operation) };
  }
  const { parameters, responses } = parts;
  return {
    openapi: '3.1.0',
    info: info(),
    externalDocs: { url: `${publicUrl}${documentationPage}` },
    servers: [
      { url: publicUrl, description: 'This service' },
      { url: `${publicUrl}/api`, description: 'The same' },
    ],
    tags: tags(),
    paths,
    webhooks: makeWebhooks(publicUrl),
    components: {
      securitySchemes: { apiKey: securityScheme },
      schemas: namedSchemas(),
      parameters: { ...requestHeaders(), ...parameters },
      headers: headerComponents(),
      responses,
    },
  };
}

const ofSandbox = (operation: Operation): Operation => ({
  ...operation,
  operationId: `sandbox${operation.operationId.charAt(0).toUpperCase()}${operation.operationId.slice(1)}`,
  tags: [sandboxTag],
});

const info = () => ({
  title: 'Uprez API',
  version,
  summary: 'Enlarge and resize images.',
  description: [
    'Every call needs a key, sent as `Authorization: Bearer KEY`. Answers are JSON with names in snake_case; fields of requests are understood in any spelling.',
    'Errors are `application/problem+json` with a `code`, the field in `param`, what is `allowed`, a `hint`, and a link to the page that explains the code.',
    `All calls are also under \`/api/v1\`. Under \`${sandbox.prefix}\`, and with keys that begin with \`${keyPrefixes.test}\`, images are really made, but small, free and counted nowhere.`,
  ].join('\n\n'),
});

const tags = () => [
  ...[...new Set(Object.values(v1Summaries).map(({ tag }) => tag))].map((name) => ({ name })),
  {
    name: sandboxTag,
    description: `The same calls for trying things out: free, results of at most ${sandbox.maxSide} pixels, kept for ${sandbox.maxHours} hour. Its jobs and batches are found here and with test keys only.`,
  },
];

const securityScheme = {
  type: 'http',
  scheme: 'bearer',
  bearerFormat: `${keyPrefixes.live}... or ${keyPrefixes.test}...`,
  description: 'A key of the page "API Keys".',
};
