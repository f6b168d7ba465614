import { createHash } from 'node:crypto';
import { makeOpenApi } from '@uprez/contracts/openapi/make-open-api';
import { makePostman } from '@uprez/contracts/openapi/make-postman';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../app-type.ts';
import type { Deps } from '../deps.ts';
import { contract } from '../http/contract.ts';
import { absoluteUrl } from '../http/public-links.ts';

/** What is asked for often changes with a release only. */
const cacheControl = 'public, max-age=300';

/** What the public API says of itself, for programs. */
export function registerV1DocumentRoutes(app: App, { config }: Pick<Deps, 'config'>): void {
  const openApi = makeOpenApi(absoluteUrl(config, ''));
  const documents = { v1OpenApi: openApi, v1Postman: makePostman(openApi) };
  for (const name of ['v1OpenApi', 'v1Postman'] as const) {
    const text = JSON.stringify(documents[name]);
    const etag = `"${createHash('sha256').update(text).digest('base64url')}"`;
    app.route({ ...contract(name), handler: (request, reply) => sendDocument({ request, reply }, { text, etag }) });
  }
}

type Call = { request: FastifyRequest; reply: FastifyReply };

function sendDocument({ request, reply }: Call, { text, etag }: { text: string; etag: string }): FastifyReply {
  reply.headers({ etag, 'cache-control': cacheControl });
  if (request.headers['if-none-match'] === etag) return reply.status(304).send();
  return reply
    .type('application/json; charset=utf-8')
    .serializer((payload: unknown) => String(payload))
    .send(text);
}
