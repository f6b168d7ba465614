import { AppError } from '@uprez/contracts/errors/app-error';
import { planOf } from '@uprez/contracts/policy/plan-versions';
import { findSessionUser, type SignedInUser } from '@uprez/domain/accounts/sessions';
import type { Actor } from '@uprez/domain/actor';
import type { Administrator } from '@uprez/domain/admin/administrator';
import type { FastifyRequest } from 'fastify';
import * as z from 'zod';
import type { Deps } from '../deps.ts';
import { noteAccess } from './access/note-access.ts';
import { routeOf } from './contract.ts';
import { prove } from './request-callers.ts';

const tokenSchema = z.object({ sid: z.string().min(1).max(100) });

/** The session secret in a request's cookie; undefined if it is missing or invalid. */
export async function readSessionSecret(request: FastifyRequest): Promise<string | undefined> {
  const token = await request.jwtVerify<object>({ onlyCookie: true }).catch(() => undefined);
  const parsed = tokenSchema.safeParse(token);
  return parsed.success ? parsed.data.sid : undefined;
}

const known = new WeakMap<FastifyRequest, Promise<SignedInUser>>();

/** The signed-in user, read once per request. Throws `not_signed_in`. */
export function requireUser(deps: Pick<Deps, 'db' | 'settings'>, request: FastifyRequest): Promise<SignedInUser> {
  const user = known.get(request) ?? readUser(deps, request);
  known.set(request, user);
  return user;
}

/** The signed-in user; undefined for visitors. */
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

/** Reads the signed-in user again, for streams. Throws `not_signed_in`. */
export async function readUser(deps: Pick<Deps, 'db' | 'settings'>, request: FastifyRequest): Promise<SignedInUser> {
  const secret = await readSessionSecret(request);
  if (!secret) throw new AppError('not_signed_in');
  const find = async () => {
    const found = await findSessionUser(deps, secret);
    if (!found) throw new AppError('not_signed_in');
    return found;
  };
  // A view must not delay the requests of the user.
  const callerOf = (found: SignedInUser) => `account:${viewerOf(found) ?? found.id}`;
  const user = await prove(request, { sort: 'session', isSigned: true, secret, find, callerOf });
  const adminId = viewerOf(user);
  noteAccess(request, { userId: user.id, ...(adminId && { staffId: adminId }) });
  return user;
}

/** The administrator who sees the web app as a user. */
const viewerOf = ({ view }: SignedInUser) => (view && view !== 'ended' ? view.adminId : undefined);

/** The signed-in user as an actor. Throws `not_signed_in`. */
export async function requireActor(deps: Pick<Deps, 'db' | 'settings'>, request: FastifyRequest): Promise<Actor> {
  const user = await requireUser(deps, request);
  const isViewed = user.view !== undefined && user.view !== 'ended';
  return { accountId: user.id, plan: planOf(user), ...(isViewed && { isViewed }) };
}

/** The administrator on endpoints with `auth: 'admin'`. */
export async function requireAdmin(
  deps: Pick<Deps, 'db' | 'settings'>,
  request: FastifyRequest,
): Promise<Administrator> {
  const { id } = await requireUser(deps, request);
  const permission = routeOf(request)?.permission;
  if (!permission) throw new AppError('permission_missing');
  return { accountId: id, address: request.ip, permission, requestId: request.id };
}
