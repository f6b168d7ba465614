import type { RouteName } from '@uprez/contracts/endpoints/routes';
import { AppError } from '@uprez/contracts/errors/app-error';
import type { Receipt } from '@uprez/contracts/schemas/jobs/receipt';
import type { WebhookDeliveryDetail } from '@uprez/contracts/schemas/webhooks';
import type { SignedInUser } from '@uprez/domain/accounts/sessions';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import { rememberAdministrator } from './audit-requests.ts';
import { findUser } from './authenticate.ts';
import { type RouteConfig, routeOf } from './contract.ts';

/**
 * Endpoints that an administrator can read while viewing an account. Files, exports, streams, and reads that write to
 * the account are excluded. A new endpoint is excluded until it is added here.
 */
export const viewableReads: ReadonlySet<RouteName> = new Set([
  'user',
  'authUser',
  'listSessions',
  'listViews',
  'listExports',
  'countRecoveryCodes',
  'listPasskeys',
  'listLedger',
  'listApiKeys',
  'apiKeyUsage',
  'getImageUrls',
  'listWebhooks',
  'getWebhook',
  'listWebhookDeliveries',
  'getWebhookDelivery',
  'listEvents',
  'billingConfig',
  'billing',
  'listInvoices',
  'getBatch',
  'listJobs',
  'getJob',
  'jobReceipt',
  'dashboardStats',
  'usage',
]);

/** Endpoints that end the view and return administrators to their own account. */
const exitRoutes: ReadonlySet<RouteName> = new Set(['endView', 'logout']);
/** Reading the user tells the browser that the administrator's account is active again. */
const exitRoutesAfterEnd: ReadonlySet<RouteName> = new Set([...exitRoutes, 'user', 'authUser']);

const isRead = ({ method }: FastifyRequest) => method === 'GET' || method === 'HEAD';
/** Reads data that is the same for everyone. */
const isPublicRead = (request: FastifyRequest, { auth }: RouteConfig) =>
  isRead(request) && (auth === 'none' || auth === 'signature');

const viewedUsers = new WeakMap<FastifyRequest, SignedInUser>();

export const isViewRequest = (request: FastifyRequest): boolean => viewedUsers.has(request);

/**
 * Marks requests that are sent while an administrator is viewing an account, and logs them with both accounts.
 *
 * After a view has ended, rejects requests with `view_ended` until the browser has read the user again. Until then, the
 * page still shows the viewed account, and its requests would change the administrator's account.
 */
export function registerViews(app: FastifyInstance, deps: Pick<Deps, 'db' | 'settings' | 'log'>): void {
  app.addHook('onRequest', async (request) => {
    const route = routeOf(request);
    if (!route || isPublicRead(request, route)) return;
    const user = await findUser(deps, request);
    if (!user?.view) return;
    if (user.view === 'ended') {
      if (!exitRoutesAfterEnd.has(route.name)) throw new AppError('view_ended');
      return;
    }
    viewedUsers.set(request, user);
  });
  app.addHook('onResponse', async (request, reply) => {
    const user = viewedUsers.get(request);
    if (!user?.view || user.view === 'ended') return;
    const { adminId } = user.view;
    const { url: route, method } = request.routeOptions;
    const facts = { userId: user.id, adminId, method, route, status: reply.statusCode, reqId: request.id };
    deps.log.info(facts, 'request in a view');
  });
}

/**
 * Rejects requests with `read_only_view` while an administrator is viewing an account. Allows viewable reads, ending
 * the view, and signing out. Rejected writes are recorded in the audit log.
 */
export function registerReadOnlyViews(app: FastifyInstance): void {
  app.addHook('onRequest', async (request) => {
    const [route, user] = [routeOf(request), viewedUsers.get(request)];
    if (!route || !user?.view || user.view === 'ended') return;
    if (exitRoutes.has(route.name) || (isRead(request) && viewableReads.has(route.name))) return;
    rememberAdministrator(request, { actorId: user.view.adminId, viewedId: user.id });
    throw new AppError('read_only_view');
  });
}

type LinkedRow = { downloadUrl: string | null; thumbnailUrl: string | null };

/** Removes the URLs of files from a response if an administrator is viewing the account. */
export const hideFileUrls = <Row extends LinkedRow>(request: FastifyRequest, row: Row): Row =>
  isViewRequest(request) ? { ...row, downloadUrl: null, thumbnailUrl: null } : row;

/**
 * Removes the thumbhash from a receipt if an administrator is viewing the account, because a thumbhash is a small
 * preview of the image.
 */
export const hideThumbhash = (request: FastifyRequest, receipt: Receipt): Receipt =>
  isViewRequest(request) ? { ...receipt, thumbhash: '' } : receipt;

/**
 * Shortens a webhook URL to its origin if an administrator is viewing the account, because the rest of the URL often
 * contains a secret.
 */
export const hideUrl = <Row extends { url: string | null }>(request: FastifyRequest, row: Row): Row =>
  isViewRequest(request) && row.url !== null ? { ...row, url: new URL(row.url).origin } : row;

/** Shortens a delivery's URL as in `hideUrl`, and removes the responses that the user's server sent. */
export const hideResponses = (request: FastifyRequest, delivery: WebhookDeliveryDetail): WebhookDeliveryDetail =>
  isViewRequest(request)
    ? { ...hideUrl(request, delivery), attemptLog: delivery.attemptLog.map((row) => ({ ...row, responseBody: null })) }
    : delivery;
