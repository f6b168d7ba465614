import { AppError } from '@uprez/contracts/errors/app-error';
import { findSessionUser, type SignedInUser } from '@uprez/domain/accounts/sessions';
import type { Actor } from '@uprez/domain/actor';
import type { FastifyRequest } from 'fastify';
import * as z from 'zod';
import type { Deps } from '../deps.ts';

const tokenSchema = z.object({ sid: z.string().min(1).max(100) });

/** The session secret of a request's cookie; undefined when there is none or it is not ours. */
export async function readSessionSecret(request: FastifyRequest): Promise<string | undefined> {
  const token = await request.jwtVerify<object>({ onlyCookie: true }).catch(() => undefined);
  const parsed = tokenSchema.safeParse(token);
  return parsed.success ? parsed.data.sid : undefined;
}

const known = new WeakMap<FastifyRequest, Promise<SignedInUser>>();

/** The signed-in user of a request, read once for each request. Throws `not_signed_in`. */
export function requireUser(deps: Pick<Deps, 'db' | 'settings'>, request: FastifyRequest): Promise<SignedInUser> {
  const user = known.get(request) ?? readUser(deps, request);
  known.set(request, user);
  return user;
}

/** The same for calls that anybody may make: undefined for a visitor. */
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

/** The signed-in user as of now: for streams, which outlive what the request began with. Throws `not_signed_in`. */
export async function readUser(deps: Pick<Deps, 'db' | 'settings'>, request: FastifyRequest): Promise<SignedInUser> {
  const secret = await readSessionSecret(request);
  const user = secret ? await findSessionUser(deps, secret) : undefined;
  if (!user) throw new AppError('not_signed_in');
  return user;
}

/** The same, as the business rules know it. */
export async function requireActor(deps: Pick<Deps, 'db' | 'settings'>, request: FastifyRequest): Promise<Actor> {
  const user = await requireUser(deps, request);
  return { accountId: user.id, tier: user.tier };
}
