import { errorCodeHeader } from '@uprez/contracts/errors/problem';
import { articlePages, incidentPath, mailPages, paymentPages, sitePaths } from '@uprez/contracts/texts/pages';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.ts';
import { cookieName } from '../../features/accounts/cookies.ts';
import { findPage } from '../../features/pages/find-page.ts';
import { isFromStaff, maintenanceRetryS } from '../maintenance.ts';
import { paymentPageHeaders } from '../security-headers.ts';
import { makeMaintenancePage } from './maintenance-page.ts';
import { appPage, type Pages, pathOf } from './open-pages.ts';
import { type FoundPage, missingPage } from './page-document.ts';

type PageDeps = Pick<Deps, 'config' | 'db' | 'settings' | 'log' | 'vault'>;

/** The page with the first screen of `/` for visitors, which is readable before the app has loaded. */
const landingPage = 'landing.html';
/** The page with all of the documentation for browsers without JavaScript. */
const documentationFile = 'documentation.html';
/** Pages of the build besides the app's. They have no path of their own. */
export const builtPages: readonly string[] = [landingPage, documentationFile];

const previewPath = articlePages.preview.replace(/:.*/, '');

/** Pages that are opened by a link: their URLs carry a secret. */
const secretPaths = [
  mailPages.resetPassword,
  mailPages.verifyEmail,
  mailPages.invitation,
  mailPages.confirmSubscription,
  mailPages.preferences,
  mailPages.unsubscribe,
];
const secretPage = new RegExp(`^((${secretPaths.join('|')})/?(\\?|$)|${previewPath})`);

const conditionalHeaders = [
  'if-match',
  'if-none-match',
  'if-modified-since',
  'if-unmodified-since',
  'if-range',
  'range',
];

/** Pages with which administrators sign in, or accept an invitation, during maintenance; and the status page. */
const openPaths: ReadonlySet<string> = new Set([
  sitePaths.auth,
  sitePaths.resetPassword,
  sitePaths.invitation,
  sitePaths.status,
  sitePaths.unsubscribe,
]);
const openPattern = new RegExp(`^(/admin(/|$)|${incidentPath('')})`);

/** How long clients wait when the database can't be reached, seconds. */
const retryS = 5;

/** Returns a function that answers a request for a page. `prerendered`: those of `builtPages` that the build has. */
export function makePageSender(deps: PageDeps, pages: Pages, prerendered: ReadonlySet<string>) {
  const { config } = deps;
  const paymentHeaders = config.payments && paymentPageHeaders(config);
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const path = pathOf(request.url);
    // Other sites must not see the secret. `no-referrer` would also hide the origin from the gateway's own check.
    const isSecret = secretPage.test(request.url);
    if (isSecret) reply.header('referrer-policy', 'same-origin');
    if (paymentHeaders && paymentPages.includes(path)) await reply.helmet(paymentHeaders);
    reply.header('cache-control', isSecret ? 'no-store' : 'no-cache');
    if (await isClosed(deps, request, path)) return sendMaintenancePage(deps, reply);
    const found = await readPage(deps, request);
    if (found?.movedTo) return reply.redirect(found.movedTo, 301);
    const page = found?.page ?? {};
    if (!found) markAs(reply, { status: 503, code: 'service_unavailable' }).header('retry-after', retryS);
    if (page === missingPage) markAs(reply, { status: 404, code: 'not_found' });
    if (path === sitePaths.documentation && prerendered.has(documentationFile))
      return pages.send(reply, documentationFile, page);
    if (path !== sitePaths.home || !prerendered.has(landingPage)) return pages.send(reply, appPage, page);
    const isVisitor = request.cookies[cookieName(config)] === undefined;
    return pages.send(reply.header('vary', 'cookie'), isVisitor ? landingPage : appPage, page);
  };
}

/** Sets the status of a page that isn't the one that was asked for. It is sent whole, also to whoever has it. */
function markAs(reply: FastifyReply, { status, code }: { status: number; code: string }): FastifyReply {
  for (const name of conditionalHeaders) delete reply.request.headers[name];
  return reply.status(status).header(errorCodeHeader, code);
}

/** Returns the page of an address. Undefined if the database can't be reached: the app then says so. */
async function readPage(deps: PageDeps, { url }: FastifyRequest): Promise<FoundPage | undefined> {
  try {
    return await findPage(deps, url);
  } catch (error) {
    deps.log.warn({ err: error }, 'page unavailable');
    return undefined;
  }
}

/** Whether a page is closed for maintenance. Those of administrators send visitors to the sign-in page. */
async function isClosed(
  deps: Pick<Deps, 'db' | 'settings'>,
  request: FastifyRequest,
  requestedPath: string,
): Promise<boolean> {
  if (openPaths.has(requestedPath) || openPattern.test(requestedPath)) return false;
  // While PostgreSQL is away, pages are sent. They say what doesn't work.
  const site = await deps.settings.read('site').catch(() => undefined);
  return site?.maintenanceMode === true && !(await isFromStaff(deps, request));
}

async function sendMaintenancePage({ settings }: Pick<Deps, 'settings'>, reply: FastifyReply): Promise<FastifyReply> {
  const site = await settings.read('site');
  reply.status(503).headers({ [errorCodeHeader]: 'maintenance', 'retry-after': maintenanceRetryS });
  return reply.header('cache-control', 'no-store').type('text/html').send(makeMaintenancePage(site));
}
