import fs from 'node:fs';
import path from 'node:path';
import fastifyStatic from '@fastify/static';
import { AppError } from '@uprez/contracts/errors/app-error';
import { errorCodeHeader } from '@uprez/contracts/errors/problem';
import { adminPages } from '@uprez/contracts/texts/admin-pages';
import { mailPages, paymentPages, sitePaths } from '@uprez/contracts/texts/pages';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import { cookieName } from '../features/accounts/cookies.ts';
import { paymentPageHeaders } from './security-headers.ts';

/** Paths below these never answer HTML: API calls, health checks, and the web app's files. */
const withoutPages = /^\/(api|healthz|readyz|assets\/.*)(\/|\?|$)/;

const knownPages = [...Object.values(sitePaths), ...Object.values(adminPages)].map(
  (page) => new RegExp(`^${page.replace(/:\w+/g, '[^/]+')}$`),
);

/** Pages opened from a mail: their URLs carry a secret. */
const secretPage = new RegExp(
  `^(${mailPages.resetPassword}|${mailPages.verifyEmail}|${mailPages.invitation})/?(\\?|$)`,
);

const conditionalHeaders = [
  'if-match',
  'if-none-match',
  'if-modified-since',
  'if-unmodified-since',
  'if-range',
  'range',
];

/** Whether a client accepts HTML; clients without an Accept header accept anything (RFC 9110, 12.5.1). */
const acceptsHtml = ({ headers }: FastifyRequest) => /text\/html|text\/\*|\*\/\*/i.test(headers.accept || '*/*');

/** The path of a URL, without a trailing slash. */
const pathOf = (url: string) => (url.split(/[?#]/)[0] ?? '').replace(/(?<=[^/])\/$/, '');

/** The page with the first screen of `/` for visitors, which is readable before the app has loaded. */
const landingPage = 'landing.html';

/**
 * Serve the built web app. Files under `assets/` have content hashes in their names and are cached for a year. Clients
 * that accept HTML get the app's page at every path, with status 404 where the app has no page. Source maps are not served.
 * Visitors get a prerendered page at `/`, if there is one. Pages that take payments may run scripts of Stripe.
 */
export async function registerWeb(app: FastifyInstance, config: Config): Promise<void> {
  const page = path.join(config.WEB_DIR, 'index.html');
  const built = fs.existsSync(page);
  const prerendered = fs.existsSync(path.join(config.WEB_DIR, landingPage));
  if (built) {
    await app.register(fastifyStatic, {
      root: config.WEB_DIR,
      wildcard: false,
      index: false,
      cacheControl: false,
      preCompressed: true,
      globIgnore: ['**/*.map', `${landingPage}*`],
      setHeaders: (reply, file) => {
        const named = path.relative(config.WEB_DIR, file).startsWith(`assets${path.sep}`);
        reply.header('cache-control', named ? 'public, max-age=31536000, immutable' : 'no-cache');
      },
    });
  }
  const paymentHeaders = config.payments && paymentPageHeaders(config);
  app.setNotFoundHandler(async (request, reply) => {
    const reads = request.method === 'GET' || request.method === 'HEAD';
    if (!built || !reads || !acceptsHtml(request) || withoutPages.test(request.url)) throw new AppError('not_found');
    const requestedPath = pathOf(request.url);
    if (!knownPages.some((page) => page.test(requestedPath))) {
      reply.status(404).header(errorCodeHeader, 'not_found');
      // A conditional or partial response would leave a 404 without its page.
      for (const name of conditionalHeaders) delete request.headers[name];
    }
    // Other sites must not see the secret. `no-referrer` would also hide the origin from the gateway's own check.
    if (secretPage.test(request.url)) reply.header('referrer-policy', 'same-origin');
    if (paymentHeaders && paymentPages.includes(requestedPath)) await reply.helmet(paymentHeaders);
    reply.header('cache-control', 'no-cache');
    if (!prerendered || requestedPath !== sitePaths.home) return reply.sendFile('index.html');
    const isVisitor = request.cookies[cookieName(config)] === undefined;
    return reply.header('vary', 'cookie').sendFile(isVisitor ? landingPage : 'index.html');
  });
}
