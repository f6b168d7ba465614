import type { RouteName } from '@uprez/contracts/endpoints/routes';
import { AppError } from '@uprez/contracts/errors/app-error';
import type { Role } from '@uprez/contracts/policy/admin/permissions';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import { findUser } from './authenticate.ts';
import { routeOf } from './contract.ts';

/**
 * Endpoints that stay available during maintenance: administrator sign-in, service keys, documentation, health, the
 * status page, Stripe events, and unsubscribing.
 */
const openEndpoints: ReadonlySet<RouteName> = new Set([
  'login',
  'loginPage',
  'logout',
  'startPasskeySignIn',
  'signInWithPasskey',
  'forgotPassword',
  'resetPassword',
  'user',
  'authUser',
  'listEngines',
  'v1AdminStats',
  'v1OpenApi',
  'v1Postman',
  'llms',
  'robots',
  'getStatus',
  'getIncident',
  'statusFeed',
  'statusBadge',
  'stripeWebhook',
  'unsubscribe',
  'unsubscribePage',
  // `requireSiteOpen` restricts these to invitations of administrators.
  'openInvitation',
  'acceptInvitation',
  'health',
  'readiness',
]);

/** Retry delay, in seconds. Maintenance takes minutes. */
export const maintenanceRetryS = 60;

/**
 * During maintenance, rejects all API requests with `maintenance`, including requests to signed links. Requests by
 * administrators and requests to the endpoints above are allowed. Running jobs continue. Registered before
 * authorization, because visitors must get this error, too.
 */
export function registerMaintenance(app: FastifyInstance, deps: Pick<Deps, 'db' | 'settings'>): void {
  app.addHook('onRequest', async (request) => {
    const route = routeOf(request);
    if (!route || openEndpoints.has(route.name)) return;
    if (!(await deps.settings.read('site')).maintenanceMode) return;
    if (!(await isFromStaff(deps, request))) throw maintenanceError();
  });
}

/** Whether a request is from an administrator, who may be viewing the account of a user. */
export async function isFromStaff(deps: Pick<Deps, 'db' | 'settings'>, request: FastifyRequest): Promise<boolean> {
  const { role = null, view } = (await findUser(deps, request)) ?? {};
  return role !== null || (view !== undefined && view !== 'ended');
}

const maintenanceError = () => new AppError('maintenance', { meta: { retryAfterS: maintenanceRetryS } });

/** Throws `maintenance` during maintenance, except for administrators. */
export async function requireSiteOpen({ settings }: Pick<Deps, 'settings'>, role: Role | null): Promise<void> {
  if (role === null && (await settings.read('site')).maintenanceMode) throw maintenanceError();
}
