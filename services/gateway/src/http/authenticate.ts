import { acceptsAnyOrigin } from '@uprez/contracts/endpoints/endpoint';
import { AppError } from '@uprez/contracts/errors/app-error';
import { planOf } from '@uprez/contracts/policy/plans/plan-versions';
import { findSessionUser, type SignedInUser } from '@uprez/domain/accounts/sessions';
import { requireStepUp } from '@uprez/domain/accounts/step-up';
import { requireAcceptedTerms } from '@uprez/domain/accounts/terms';
import type { Actor } from '@uprez/domain/actor';
import { type Administrator, requirePermission } from '@uprez/domain/admin/administrator';
import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify';
import * as z from 'zod';
import type { Config } from '../config.ts';
import type { Deps } from '../deps.ts';
import { rememberAdministrator } from './audit-requests.ts';
import { type RouteConfig, routeOf } from './contract.ts';
import { decideMasking, registerEmailMask } from './mask-emails.ts';
import { noteAccess } from './record-requests.ts';
import { lookUpSecret, waitForNetwork } from './request-callers.ts';

const tokenSchema = z.object({ sid: z.string().min(1).max(100) });

/** Returns the session secret in a request's cookie. Undefined if the cookie is missing or invalid. */
export async function readSessionSecret(request: FastifyRequest): Promise<string | undefined> {
  const token = await request.jwtVerify<object>({ onlyCookie: true }).catch(() => undefined);
  const parsed = tokenSchema.safeParse(token);
  return parsed.success ? parsed.data.sid : undefined;
}

const knownUsers = new WeakMap<FastifyRequest, Promise<SignedInUser>>();

/** Returns the signed-in user, read once per request. Throws `not_signed_in`. */
export function requireUser(deps: Pick<Deps, 'db' | 'settings'>, request: FastifyRequest): Promise<SignedInUser> {
  const user = knownUsers.get(request) ?? readUser(deps, request);
  knownUsers.set(request, user);
  return user;
}

/** Returns the signed-in user. Undefined for visitors. */
export async function findUser(
  deps: Pick<Deps, 'db' | 'settings'>,
  request: FastifyRequest,
): Promise<SignedInUser | undefined> {
  try {
    return await requireUser(deps, request);
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_signed_in') return undefined;
    throw error;
  }
}

/** Reads the signed-in user again, because a session can end during a stream. Throws `not_signed_in`. */
export async function readUser(deps: Pick<Deps, 'db' | 'settings'>, request: FastifyRequest): Promise<SignedInUser> {
  const secret = await readSessionSecret(request);
  if (!secret) throw new AppError('not_signed_in');
  const find = async () => {
    const found = await findSessionUser(deps, secret);
    if (!found) throw new AppError('not_signed_in');
    return found;
  };
  // Attributes a view to the administrator, who must not delay the user's own requests.
  const callerOf = (found: SignedInUser) => `account:${viewerOf(found) ?? found.id}`;
  const user = await lookUpSecret(request, { sort: 'session', isSigned: true, secret, find, callerOf });
  const adminId = viewerOf(user);
  noteAccess(request, { userId: user.id, ...(adminId && { staffId: adminId }) });
  return user;
}

const viewerOf = ({ view }: SignedInUser) => (view && view !== 'ended' ? view.adminId : undefined);

/** Returns the signed-in user as an actor. Throws `not_signed_in`. */
export async function requireActor(deps: Pick<Deps, 'db' | 'settings'>, request: FastifyRequest): Promise<Actor> {
  const user = await requireUser(deps, request);
  const isViewed = user.view !== undefined && user.view !== 'ended';
  return { accountId: user.id, plan: planOf(user), ...(isViewed && { isViewed }) };
}

/**
 * Returns the administrator on endpoints with `auth: 'admin'`. Throws `permission_missing` on endpoints without a
 * permission.
 */
export async function requireAdmin(
  deps: Pick<Deps, 'db' | 'settings'>,
  request: FastifyRequest,
): Promise<Administrator> {
  const { id } = await requireUser(deps, request);
  const permission = routeOf(request)?.permission;
  if (!permission) throw new AppError('permission_missing');
  return { accountId: id, address: request.ip, permission, requestId: request.id };
}

/** Returns the administrator and the ID in the path, for a change of one row. Throws the errors of `requireAdmin`. */
export const requireAdminAndId = async (
  deps: Pick<Deps, 'db' | 'settings'>,
  request: FastifyRequest & { params: { id: string } },
): Promise<{ admin: Administrator; id: string }> => ({
  admin: await requireAdmin(deps, request),
  id: request.params.id,
});

const apiPathPattern = /^\/(?:(?:api|v1)\/|mcp$)/;
const adminPathPattern = /^\/api\/admin\//;

/**
 * Throws at startup if an API route doesn't declare who may call it, or an admin route doesn't declare its permission.
 */
export function requireDeclaredAuth({ url, config }: RouteOptions): void {
  const declared = config as Partial<RouteConfig> | undefined;
  if (apiPathPattern.test(url) && !declared?.auth)
    throw new Error(`The route ${url} does not declare who may call it.`);
  if (adminPathPattern.test(url) && !declared?.permission)
    throw new Error(`The route ${url} does not name its permission.`);
}

/**
 * Checks that the caller may use the endpoint, before the body is read. Throws `not_signed_in`, `admin_only`,
 * `permission_missing`, `admin_two_factor` if the site requires it, `step_up_required`, or `terms_not_accepted`.
 */
export function registerAuthorization(app: FastifyInstance, deps: Pick<Deps, 'db' | 'settings' | 'terms'>): void {
  app.addHook('onRoute', requireDeclaredAuth);
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
    if (stepUp) requireStepUp(user);
  });
}

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Returns a hook that rejects writes from pages on other sites (CSRF), based on `Origin` and `Sec-Fetch-Site`. Only
 * browsers send these headers.
 */
export function makeOriginGuard(config: Pick<Config, 'PUBLIC_URL'>) {
  const publicHost = new URL(config.PUBLIC_URL).host;
  return async (request: FastifyRequest): Promise<void> => {
    const route = routeOf(request);
    if (safeMethods.has(request.method) || (route && acceptsAnyOrigin(route.name))) return;
    const { origin } = request.headers;
    const site = request.headers['sec-fetch-site'];
    if (origin === undefined && (site === undefined || site === 'same-origin' || site === 'none')) return;
    const host = origin && URL.canParse(origin) ? new URL(origin).host : undefined;
    if (host !== undefined && (host === request.host || host === publicHost)) return;
    // Slows down rejected writes: rate limits don't count them, but each address and endpoint adds a row to the access
    // log.
    await waitForNetwork(request);
    throw new AppError('bad_origin');
  };
}
