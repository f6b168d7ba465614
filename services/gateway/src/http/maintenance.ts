import type { RouteName } from '@uprez/contracts/endpoints/routes';
import { AppError } from '@uprez/contracts/errors/app-error';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../deps.ts';
import { findUser } from './authenticate.ts';
import { routeOf } from './contract.ts';
import { isViewed } from './views.ts';

/** Endpoints that stay available: sign-in for administrators, their service keys, documentation, health, events of Stripe. */
const open: ReadonlySet<RouteName> = new Set([
  'login',
  'loginPage',
  'logout',
  'user',
  'authUser',
  'listEngines',
  'v1AdminStats',
  'v1OpenApi',
  'v1Postman',
  'llms',
  'stripeWebhook',
  'health',
  'readiness',
]);

/** Maintenance takes minutes. */
const retryAfterS = 60;

/**
 * While the site is being maintained, answer every call of the API with `maintenance`, but for administrators and the
 * calls above; signed links, too: they are given again afterward. What runs already goes on. Comes before authorization,
 * so that whoever is not signed in hears of it as well.
 */
export function registerMaintenance(app: FastifyInstance, deps: Pick<Deps, 'db' | 'settings'>): void {
  app.addHook('onRequest', async (request) => {
    const route = routeOf(request);
    if (!route || open.has(route.name)) return;
    if (!(await deps.settings.read('site')).maintenanceMode) return;
    // Comes after the hook of views, which admits administrators only.
    if (isViewed(request)) return;
    if (!(await findUser(deps, request))?.role) throw new AppError('maintenance', { meta: { retryAfterS } });
  });
}
