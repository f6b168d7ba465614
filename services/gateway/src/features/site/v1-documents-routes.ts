import { createHash } from 'node:crypto';
import { makeLlmsText } from '@uprez/contracts/docs/llms-text';
import { makeOpenApi } from '@uprez/contracts/docs/openapi/make-open-api';
import { makePostman } from '@uprez/contracts/docs/openapi/make-postman';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../../app-type.ts';
import type { Deps } from '../../deps.ts';
import { contract } from '../../http/contract.ts';
import { absoluteUrl } from '../../http/public-links.ts';

/** What is asked for often changes with a release only. */
const cacheControl = 'public, max-age=300';

type Document = { text: string; etag: string; type: string };

/** What the public API says of itself, for programs; each made when it is first asked for. */
export function registerV1DocumentRoutes(app: App, { config }: Pick<Deps, 'config'>): void {
  const publicUrl = absoluteUrl(config, '');
  const makers = {
    v1OpenApi: () => JSON.stringify(makeOpenApi(publicUrl)),
    v1Postman: () => JSON.stringify(makePostman(makeOpenApi(publicUrl))),
    llms: () => makeLlmsText(publicUrl),
  };
  for (const name of ['v1OpenApi', 'v1Postman', 'llms'] as const) {
    const type = name === 'llms' ? 'text/plain' : 'application/json';
    let made: Document | undefined;
    app.route({
      ...contract(name),
      handler: (request, reply) => {
        made ??= withEtag(makers[name](), type);
        return sendDocument({ request, reply }, made);
      },
    });
  }
}

const withEtag = (text: string, type: string): Document => ({
  text,
  etag: `"${createHash('sha256').update(text).digest('base64url')}"`,
  type,
});

type Call = { request: FastifyRequest; reply: FastifyReply };

function sendDocument({ request, reply }: Call, { text, etag, type }: Document): FastifyReply {
  reply.headers({ etag, 'cache-control': cacheControl });
  if (request.headers['if-none-match'] === etag) return reply.status(304).send();
  return reply
    .type(`${type}; charset=utf-8`)
    .serializer((payload: unknown) => String(payload))
    .send(text);
}
