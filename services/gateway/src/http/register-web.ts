import fs from 'node:fs';
import path from 'node:path';
import fastifyStatic from '@fastify/static';
import { errorCodeHeader } from '@uprez/contracts/errors/problem';
import type { SiteSettings } from '@uprez/contracts/schemas/admin/settings';
import { articlePages, incidentPath, mailPages, paymentPages, sitePaths } from '@uprez/contracts/texts/site/pages';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import { cookieName } from '../features/accounts/cookies.ts';
import { findBlogPage } from '../features/blog/find-blog-page.ts';
import { findContactPage } from '../features/inbox/contact-routes.ts';
import { findNewsletterPage } from '../features/newsletter/subscription-routes.ts';
import { findHelpPage } from '../features/pages/find-help-page.ts';
import { findOwnPage } from '../features/pages/find-own-page.ts';
import { findStatusPage } from '../features/status/status-routes.ts';
import { describeMissingRoute } from './handle-error.ts';
import { isFromStaff, maintenanceRetryS } from './maintenance.ts';
import { isolatedWorkerHeaders, paymentPageHeaders } from './register-responses.ts';
import { appPage, openPages, type Pages, pathOf } from './web/open-pages.ts';
import { escapeHtml, type FoundPage, findDocument, missingPage } from './web/page-document.ts';

/** Never return HTML: API requests, mistyped API paths, health checks, and the web app's files. */
const nonPagePattern = /^\/+(api|v\d+|healthz|readyz|assets\/.*)(\/|\?|$)/i;

/** Worker scripts that compile WebAssembly, including compressed ones. */
const workerScriptPattern = /^(process-worker|ort-wasm)-[^/]*\.m?js(\.(br|gz))?$/;

/** A client without an Accept header accepts any type (RFC 9110, 12.5.1). */
const acceptsHtml = ({ headers }: FastifyRequest) => /text\/html|text\/\*|\*\/\*/i.test(headers.accept || '*/*');

/**
 * Serves the built web app. Files under `assets/` have content hashes in their names and are cached for a year. Clients
 * that accept HTML get the app's page at every path, with status 404 if the app has no page there. Source maps aren't
 * served.
 *
 * During maintenance, everyone except administrators gets the maintenance page, with status 503.
 *
 * If the build contains prerendered pages, visitors get one at `/`, and everyone gets one at `/documentation`, which
 * works without JavaScript. Payment pages may run Stripe's scripts.
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
        if (named && workerScriptPattern.test(path.basename(file))) reply.headers(workerHeaders);
      },
    });
  }
  const sendPage = makePageSender(deps, openPages(deps, config.WEB_DIR), prerendered);
  app.setNotFoundHandler(async (request, reply) => {
    const reads = request.method === 'GET' || request.method === 'HEAD';
    if (!built || !reads || !acceptsHtml(request) || nonPagePattern.test(request.url))
      throw describeMissingRoute(request, reply);
    return sendPage(request, reply);
  });
}

type PageDeps = Pick<Deps, 'config' | 'db' | 'settings' | 'log' | 'vault'>;

/** Home page whose first screen is readable before the app has loaded. */
const landingPage = 'landing.html';
/** Page with the complete documentation, for browsers without JavaScript. */
const documentationFile = 'documentation.html';
/** Built pages other than the app's page. They aren't served under their file names. */
const builtPages: readonly string[] = [landingPage, documentationFile];

const previewPath = articlePages.preview.replace(/:.*/, '');

/** Opened from an emailed link. Their URLs contain a secret. */
const secretPaths = [
  mailPages.resetPassword,
  mailPages.verifyEmail,
  mailPages.invitation,
  mailPages.confirmSubscription,
  mailPages.preferences,
  mailPages.unsubscribe,
];
const secretPagePattern = new RegExp(`^((${secretPaths.join('|')})/?(\\?|$)|${previewPath})`);

const conditionalHeaders = [
  'if-match',
  'if-none-match',
  'if-modified-since',
  'if-unmodified-since',
  'if-range',
  'range',
];

/** In addition to administrator pages and incidents. */
const maintenanceExemptPaths: ReadonlySet<string> = new Set([
  sitePaths.auth,
  sitePaths.resetPassword,
  sitePaths.invitation,
  sitePaths.status,
  sitePaths.unsubscribe,
]);
const maintenanceExemptPattern = new RegExp(`^(/admin(/|$)|${incidentPath('')})`);

/** While the database is unavailable. */
const retryS = 5;

/**
 * Returns a function that sends the page for a URL. `prerendered` lists the files in `builtPages` that the build
 * contains.
 */
function makePageSender(deps: PageDeps, pages: Pages, prerendered: ReadonlySet<string>) {
  const { config } = deps;
  const paymentHeaders = config.payments && paymentPageHeaders(config);
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const path = pathOf(request.url);
    // Keeps the secret in the URL from other sites. `no-referrer` would also hide the origin from the gateway's own
    // check.
    const isSecret = secretPagePattern.test(request.url);
    if (isSecret) reply.header('referrer-policy', 'same-origin');
    if (paymentHeaders && paymentPages.includes(path)) await reply.helmet(paymentHeaders);
    reply.header('cache-control', isSecret ? 'no-store' : 'no-cache');
    if (await isInMaintenance(deps, request, path)) return sendMaintenancePage(deps, reply);
    const found = await readPage(deps, request);
    if (found?.movedTo) return reply.redirect(found.movedTo, 301);
    const page = found?.page ?? {};
    if (!found) setPageStatus(reply, { status: 503, code: 'service_unavailable' }).header('retry-after', retryS);
    if (page === missingPage) setPageStatus(reply, { status: 404, code: 'not_found' });
    if (path === sitePaths.documentation && prerendered.has(documentationFile))
      return pages.send(reply, documentationFile, page);
    if (path !== sitePaths.home || !prerendered.has(landingPage)) return pages.send(reply, appPage, page);
    const isVisitor = request.cookies[cookieName(config)] === undefined;
    return pages.send(reply.header('vary', 'cookie'), isVisitor ? landingPage : appPage, page);
  };
}

/**
 * Sets the status of a page that replaces the requested one. Removes conditional headers to send the page completely,
 * never as a 304.
 */
function setPageStatus(reply: FastifyReply, { status, code }: { status: number; code: string }): FastifyReply {
  for (const name of conditionalHeaders) delete reply.request.headers[name];
  return reply.status(status).header(errorCodeHeader, code);
}

/** Returns the page for a URL, or undefined if the page can't be read. In that case, the app shows an error. */
async function readPage(deps: PageDeps, { url }: FastifyRequest): Promise<FoundPage | undefined> {
  try {
    return await findPage(deps, url);
  } catch (error) {
    deps.log.warn({ err: error }, 'page unavailable');
    return undefined;
  }
}

/** Administrator pages stay open and send visitors to the sign-in page. */
async function isInMaintenance(
  deps: Pick<Deps, 'db' | 'settings'>,
  request: FastifyRequest,
  requestedPath: string,
): Promise<boolean> {
  if (maintenanceExemptPaths.has(requestedPath) || maintenanceExemptPattern.test(requestedPath)) return false;
  // While PostgreSQL is unavailable, pages are sent, and the app shows an error.
  const site = await deps.settings.read('site').catch(() => undefined);
  return site?.maintenanceMode === true && !(await isFromStaff(deps, request));
}

async function sendMaintenancePage({ settings }: Pick<Deps, 'settings'>, reply: FastifyReply): Promise<FastifyReply> {
  const site = await settings.read('site');
  reply.status(503).headers({ [errorCodeHeader]: 'maintenance', 'retry-after': maintenanceRetryS });
  return reply.header('cache-control', 'no-store').type('text/html').send(makeMaintenancePage(site));
}

type Site = Pick<SiteSettings, 'siteName' | 'supportEmail' | 'supportHours'>;

/** Returns the maintenance page for visitors and users. It loads no other resources. */
function makeMaintenancePage({ siteName, supportEmail, supportHours }: Site): string {
  const [name, email] = [escapeHtml(siteName), escapeHtml(supportEmail)];
  const hours = supportHours && ` Support hours: ${escapeHtml(supportHours)}.`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8" />
<meta name="viewport" content="width=device-width, initial-scale=1" />
<meta name="color-scheme" content="light dark" />
<meta name="robots" content="noindex" />
<title>Down for maintenance - ${name}</title>
<style>
body { margin: 0; min-height: 100vh; display: grid; place-content: center; font: 1rem/1.5 system-ui, sans-serif; }
main { max-width: 28rem; padding: 1.5rem; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 0.5rem; }
p { margin: 0 0 1rem; }
a { color: inherit; }
</style>
</head>
<body>
<main>
<h1>Down for maintenance</h1>
<p>${name} is being updated. Try again in a few minutes. Running jobs continue.</p>
<p>Need help? Write to <a href="mailto:${email}">${email}</a>.${hours}</p>
<p><a href="${sitePaths.auth}">Administrator sign-in</a></p>
</main>
</body>
</html>
`;
}

type FindPageDeps = Pick<Deps, 'db' | 'settings' | 'vault'>;

const findPage = async (deps: FindPageDeps, url: string): Promise<FoundPage> =>
  (await findBlogPage(deps, url)) ??
  (await findHelpPage(deps, url)) ??
  (await findOwnPage(deps, url)) ??
  (await findContactPage(deps, url)) ??
  (await findStatusPage(deps, url)) ??
  (await findNewsletterPage(deps, url)) ?? { page: findDocument(pathOf(url)) };
