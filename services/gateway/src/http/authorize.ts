import { AppError } from '@uprez/contracts/errors/app-error';
import { requireSteppedUp } from '@uprez/domain/accounts/step-up';
import { requireAcceptedTerms } from '@uprez/domain/accounts/terms';
import { requirePermission } from '@uprez/domain/admin/administrator';
import type { FastifyInstance, RouteOptions } from 'fastify';
import type { Deps } from '../deps.ts';
import { noteAccess } from './access/note-access.ts';
import { requireUser } from './authenticate.ts';
import { type RouteConfig, routeOf } from './contract.ts';
import { decideMasking, registerEmailMask } from './mask-emails.ts';
import { rememberAdministrator } from './rejected-writes.ts';

const ours = /^\/(?:(?:api|v1)\/|mcp$)/;
const forAdmins = /^\/api\/admin\//;

/** Throws at startup if a route of the API doesn't declare who may call it, or one of administrators no permission. */
export function requireDeclared({ url, config }: RouteOptions): void {
  const declared = config as Partial<RouteConfig> | undefined;
  if (ours.test(url) && !declared?.auth) throw new Error(`The route ${url} does not declare who may call it.`);
  if (forAdmins.test(url) && !declared?.permission) throw new Error(`The route ${url} does not name its permission.`);
}

/**
 * Checks that the caller may use the endpoint, before the body is read. Throws `not_signed_in`, `admin_only`,
 * `permission_missing`, `admin_two_factor` if the site requires it, `step_up_required`, or `terms_not_accepted`.
 */
export function registerAuthorization(app: FastifyInstance, deps: Pick<Deps, 'db' | 'settings' | 'terms'>): void {
  app.addHook('onRoute', requireDeclared);
  registerEmailMask(app);
  app.addHook('onRequest', async (request) => {
    const { auth, permission, stepUp, processes } = routeOf(request) ?? {};
    if (auth !== 'session' && auth !== 'admin') return;
    const user = await requireUser(deps, request);
    if (processes) await requireAcceptedTerms(deps.terms, user);
    if (!permission) return;
    const { role } = user;
    if (role !== null) {
      noteAccess(request, { staffId: user.id });
      rememberAdministrator(request, { actorId: user.id });
    }
    requirePermission(role, permission);
    decideMasking(request, role, permission);
    const { requireTwoFactor } = await deps.settings.read('security');
    if (requireTwoFactor && user.twoFactorAt === null) throw new AppError('admin_two_factor');
    if (stepUp) requireSteppedUp(user);
  });
}
