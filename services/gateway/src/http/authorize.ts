import { AppError } from '@uprez/contracts/errors/app-error';
import type { FastifyInstance, RouteOptions } from 'fastify';
import type { Deps } from '../deps.ts';
import { requireUser } from './authenticate.ts';
import { type RouteConfig, routeOf } from './contract.ts';

const ours = /^\/(api|v1)\//;

/** Throws at startup if a route of the API doesn't declare who may call it. */
export function requireDeclared({ url, config }: RouteOptions): void {
  const declared = config as Partial<RouteConfig> | undefined;
  if (ours.test(url) && !declared?.auth) throw new Error(`The route ${url} does not declare who may call it.`);
}

/**
 * Checks that the caller may use the endpoint, before the body is read. Throws `not_signed_in`, `admin_only`, or
 * `admin_two_factor` if the site requires it.
 */
export function registerAuthorization(app: FastifyInstance, deps: Pick<Deps, 'db' | 'settings'>): void {
  app.addHook('onRoute', requireDeclared);
  app.addHook('onRequest', async (request) => {
    const auth = routeOf(request)?.auth;
    if (auth !== 'session' && auth !== 'admin') return;
    const user = await requireUser(deps, request);
    if (auth === 'session') return;
    if (user.role === null) throw new AppError('admin_only');
    const { requireTwoFactor } = await deps.settings.read('security');
    if (requireTwoFactor && user.twoFactorAt === null) throw new AppError('admin_two_factor');
  });
}
