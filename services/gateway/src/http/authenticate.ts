import { AppError } from '@uprez/contracts/app-error';
import type { UserRow } from '@uprez/db/queries/users';
import { findSessionUser } from '@uprez/domain/accounts/find-session-user';
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

/** The signed-in user of a request. Throws `not_signed_in`. */
export async function requireUser(deps: Pick<Deps, 'db' | 'settings'>, request: FastifyRequest): Promise<UserRow> {
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
