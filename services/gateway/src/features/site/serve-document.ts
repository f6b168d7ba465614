import type { App } from '../../app-type.ts';
import type { contract } from '../../http/contract.ts';
import { openTextSender } from '../../http/web/send-text.ts';

/** The documents change only with a release. */
const cacheControl = 'public, max-age=300';

type DocumentRoute = Pick<ReturnType<typeof contract>, 'method' | 'url' | 'config'>;
type Source = { type: string; make: () => string };

/** Serves a generated document. The first request generates it, and the first one of each encoding compresses it. */
export function serveDocument(app: App, { method, url, config }: DocumentRoute, { type, make }: Source): void {
  const sendText = openTextSender();
  let text: string | undefined;
  app.route({
    method,
    url,
    config,
    handler: async (_request, reply) => {
      text ??= make();
      return sendText(reply.header('cache-control', cacheControl), { type, text });
    },
  });
}
