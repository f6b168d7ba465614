import { createHash } from 'node:crypto';
import type { App } from '../../app-type.ts';
import type { contract } from '../../http/contract.ts';
import { addVary } from '../../http/web/send-text.ts';

/** The documents change only with a release. */
const cacheControl = 'public, max-age=300';

type DocumentRoute = Pick<ReturnType<typeof contract>, 'method' | 'url' | 'config'>;
type Source = { type: string; make: () => string };

/** Serves a generated document with an ETag, which is weak because the document may be compressed. The first request generates it. */
export function serveDocument(app: App, { method, url, config }: DocumentRoute, { type, make }: Source): void {
  let document: { text: string; etag: string } | undefined;
  app.route({
    method,
    url,
    config,
    handler: (request, reply) => {
      document ??= withEtag(make());
      const { text, etag } = document;
      addVary(reply.headers({ etag, 'cache-control': cacheControl }), 'accept-encoding');
      if (request.headers['if-none-match'] === etag) return reply.status(304).send();
      return reply
        .type(`${type}; charset=utf-8`)
        .serializer((payload: unknown) => String(payload))
        .send(text);
    },
  });
}

const withEtag = (text: string) => ({ text, etag: `W/"${createHash('sha256').update(text).digest('base64url')}"` });
