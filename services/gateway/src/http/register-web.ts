import fs from 'node:fs';
import path from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import { describeMissingRoute } from './find-methods.ts';
import { isolatedWorkerHeaders } from './security-headers.ts';
import { openPages } from './web/open-pages.ts';
import { builtPages, makePageSender } from './web/send-page.ts';

/** Paths below these never return HTML: API calls, mistyped API paths, health checks, and the web app's files. */
const withoutPages = /^\/+(api|v\d+|healthz|readyz|assets\/.*)(\/|\?|$)/i;

/** Scripts of workers that compile WebAssembly, by their names in the build, compressed ones too. */
const workerScript = /^(process-worker|ort-wasm)-[^/]*\.m?js(\.(br|gz))?$/;

/** Whether a client accepts HTML; clients without an Accept header accept anything (RFC 9110, 12.5.1). */
const acceptsHtml = ({ headers }: FastifyRequest) => /text\/html|text\/\*|\*\/\*/i.test(headers.accept || '*/*');

/**
 * Serve the built web app. Files under `assets/` have content hashes in their names and are cached for a year. Clients
 * that accept HTML get the app's page at every path, with status 404 where the app has no page. Source maps are not served.
 * During maintenance, all but administrators get a page that says so, with status 503.
 * Visitors get a prerendered page at `/`, and browsers without JavaScript at `/documentation`, if there is one. Pages that take payments may run scripts of Stripe.
 */
export async function registerWeb(
  app: FastifyInstance,
  deps: Pick<Deps, 'config' | 'db' | 'settings' | 'log' | 'vault'>,
): Promise<void> {
  const { config } = deps;
  const workerHeaders = isolatedWorkerHeaders(config);
  const built = fs.existsSync(path.join(config.WEB_DIR, 'index.html'));
  const prerendered = new Set(builtPages.filter((file) => fs.existsSync(path.join(config.WEB_DIR, file))));
  if (built) {
    await app.register(fastifyStatic, {
      root: config.WEB_DIR,
      wildcard: false,
      index: false,
      cacheControl: false,
      preCompressed: true,
      globIgnore: ['**/*.map', 'index.html*', ...builtPages.map((file) => `${file}*`)],
      setHeaders: (reply, file) => {
        const named = path.relative(config.WEB_DIR, file).startsWith(`assets${path.sep}`);
        reply.header('cache-control', named ? 'public, max-age=31536000, immutable' : 'no-cache');
        if (named && workerScript.test(path.basename(file))) reply.headers(workerHeaders);
      },
    });
  }
  const sendPage = makePageSender(deps, openPages(deps, config.WEB_DIR), prerendered);
  app.setNotFoundHandler(async (request, reply) => {
    const reads = request.method === 'GET' || request.method === 'HEAD';
    if (!built || !reads || !acceptsHtml(request) || withoutPages.test(request.url))
      throw describeMissingRoute(request, reply);
    return sendPage(request, reply);
  });
}
