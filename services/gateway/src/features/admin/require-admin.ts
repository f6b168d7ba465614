import type { Administrator } from '@uprez/domain/admin/change-user';
import type { FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.ts';
import { requireUser } from '../../http/authenticate.ts';

/** The administrator of a request, which the route's `auth: 'admin'` has made sure of. */
export async function requireAdmin(
  deps: Pick<Deps, 'db' | 'settings'>,
  request: FastifyRequest,
): Promise<Administrator> {
  return { accountId: (await requireUser(deps, request)).id, address: request.ip };
}
