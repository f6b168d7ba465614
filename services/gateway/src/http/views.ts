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
 * What an administrator can read as a user. Files, exports, streams, and reads that write to the account are left out, and a
 * new endpoint is until it is added here.
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

/** What leads back to the administrator's own account. */
const leaving: ReadonlySet<RouteName> = new Set(['endView', 'logout']);
/** After the end of a view, reading the user tells the browser that it is the administrator's again. */
const leavingEnded: ReadonlySet<RouteName> = new Set([...leaving, 'user', 'authUser']);

const isRead = ({ method }: FastifyRequest) => method === 'GET' || method === 'HEAD';
/** Reads that are the same for everyone. */
const isPublicRead = (request: FastifyRequest, { auth }: RouteConfig) =>
  isRead(request) && (auth === 'none' || auth === 'signature');

const active = new WeakMap<FastifyRequest, SignedInUser>();

/** Whether the request reads as a user whom an administrator views. */
export const isViewed = (request: FastifyRequest): boolean => active.has(request);

/**
 * Finds the requests of views. After a view has ended, refuses all requests with `view_ended` until the browser has read the
 * user again: its page would still show the other account, and could change that of the administrator. Logs the requests of
 * views with both accounts.
 */
export function registerViews(app: FastifyInstance, deps: Pick<Deps, 'db' | 'settings' | 'log'>): void {
  app.addHook('onRequest', async (request) => {
    const route = routeOf(request);
    if (!route || isPublicRead(request, route)) return;
    const user = await findUser(deps, request);
    if (!user?.view) return;
    if (user.view === 'ended') {
      if (!leavingEnded.has(route.name)) throw new AppError('view_ended');
      return;
    }
    active.set(request, user);
  });
  app.addHook('onResponse', async (request, reply) => {
    const user = active.get(request);
    if (!user?.view || user.view === 'ended') return;
    const { adminId } = user.view;
    const { url: route, method } = request.routeOptions;
    const facts = { userId: user.id, adminId, method, route, status: reply.statusCode, reqId: request.id };
    deps.log.info(facts, 'request in a view');
  });
}

/**
 * Refuses all but reads while an administrator views an account, with `read_only_view`. Refused writes get a row in the audit
 * log.
 */
export function registerReadOnlyViews(app: FastifyInstance): void {
  app.addHook('onRequest', async (request) => {
    const [route, user] = [routeOf(request), active.get(request)];
    if (!route || !user?.view || user.view === 'ended') return;
    if (leaving.has(route.name) || (isRead(request) && viewableReads.has(route.name))) return;
    rememberAdministrator(request, { actorId: user.view.adminId, viewedId: user.id });
    throw new AppError('read_only_view');
  });
}

type Linked = { downloadUrl: string | null; thumbnailUrl: string | null };

/** Removes the URLs of files from a response to an administrator who views the account. */
export const hideFiles = <Row extends Linked>(request: FastifyRequest, row: Row): Row =>
  isViewed(request) ? { ...row, downloadUrl: null, thumbnailUrl: null } : row;

/** The same for a receipt: its thumbhash is a small version of the image. */
export const hideThumbhash = (request: FastifyRequest, receipt: Receipt): Receipt =>
  isViewed(request) ? { ...receipt, thumbhash: '' } : receipt;

/** Shortens the URL of a webhook to its origin: the rest is often a secret. */
export const hideUrl = <Row extends { url: string | null }>(request: FastifyRequest, row: Row): Row =>
  isViewed(request) && row.url !== null ? { ...row, url: new URL(row.url).origin } : row;

/** The same for a delivery, without the responses of the user's server. */
export const hideResponses = (request: FastifyRequest, delivery: WebhookDeliveryDetail): WebhookDeliveryDetail =>
  isViewed(request)
    ? { ...hideUrl(request, delivery), attemptLog: delivery.attemptLog.map((row) => ({ ...row, responseBody: null })) }
    : delivery;
