import fs from 'node:fs';
import path from 'node:path';
import fastifyStatic from '@fastify/static';
import { AppError } from '@uprez/contracts/errors/app-error';
import { errorCodeHeader } from '@uprez/contracts/errors/problem';
import { adminPages } from '@uprez/contracts/texts/admin-pages';
import { mailPages, paymentPages, sitePaths } from '@uprez/contracts/texts/pages';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import { cookieName } from '../features/accounts/cookies.ts';
import { isFromStaff, maintenanceRetryS } from './maintenance.ts';
import { paymentPageHeaders } from './security-headers.ts';
import { makeMaintenancePage } from './web/maintenance-page.ts';
import { openPages, pathOf } from './web/open-pages.ts';

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

/** The page with the first screen of `/` for visitors, which is readable before the app has loaded. */
const landingPage = 'landing.html';

/**
 * Serve the built web app. Files under `assets/` have content hashes in their names and are cached for a year. Clients
 * that accept HTML get the app's page at every path, with status 404 where the app has no page. Source maps are not served.
 * During maintenance, all but administrators get a page that says so, with status 503.
 * Visitors get a prerendered page at `/`, if there is one. Pages that take payments may run scripts of Stripe.
 */
export async function registerWeb(
  app: FastifyInstance,
  deps: Pick<Deps, 'config' | 'db' | 'settings' | 'log'>,
): Promise<void> {
  const { config } = deps;
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
      globIgnore: ['**/*.map', 'index.html*', `${landingPage}*`],
      setHeaders: (reply, file) => {
        const named = path.relative(config.WEB_DIR, file).startsWith(`assets${path.sep}`);
        reply.header('cache-control', named ? 'public, max-age=31536000, immutable' : 'no-cache');
      },
    });
  }
  const pages = openPages(deps, config.WEB_DIR);
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
    if (await isClosed(deps, request, requestedPath)) return sendMaintenancePage(deps, reply);
    if (!prerendered || requestedPath !== sitePaths.home) return pages.send(request, reply, 'index.html');
    const isVisitor = request.cookies[cookieName(config)] === undefined;
    return pages.send(request, reply.header('vary', 'cookie'), isVisitor ? landingPage : 'index.html');
  });
}

/** Pages with which administrators sign in, or accept an invitation, during maintenance. */
const openPaths: ReadonlySet<string> = new Set([sitePaths.auth, sitePaths.resetPassword, sitePaths.invitation]);

/** Whether a page is closed for maintenance. Those of administrators send visitors to the sign-in page. */
async function isClosed(
  deps: Pick<Deps, 'db' | 'settings'>,
  request: FastifyRequest,
  requestedPath: string,
): Promise<boolean> {
  if (openPaths.has(requestedPath) || /^\/admin(\/|$)/.test(requestedPath)) return false;
  // While PostgreSQL is away, pages are sent. They say what doesn't work.
  const site = await deps.settings.read('site').catch(() => undefined);
  return site?.maintenanceMode === true && !(await isFromStaff(deps, request));
}

async function sendMaintenancePage({ settings }: Pick<Deps, 'settings'>, reply: FastifyReply): Promise<FastifyReply> {
  const site = await settings.read('site');
  reply.status(503).headers({ [errorCodeHeader]: 'maintenance', 'retry-after': maintenanceRetryS });
  return reply.header('cache-control', 'no-store').type('text/html').send(makeMaintenancePage(site));
}
