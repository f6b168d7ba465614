import { changeTier } from '@uprez/domain/admin/change-tier';
import { getUser, listUsers } from '@uprez/domain/admin/list-users';
import { removeTwoFactor } from '@uprez/domain/admin/remove-two-factor';
import { suspendUser } from '@uprez/domain/admin/suspend-user';
import type { App } from '../../app-type.ts';
import type { Deps } from '../../deps.ts';
import { contract } from '../../http/contract.ts';
import { presentAdminUser } from './present-admin-user.ts';
import { requireAdmin } from './require-admin.ts';

export function registerAdminUserRoutes(app: App, deps: Deps): void {
  app.route({
    ...contract('adminListUsers'),
    handler: async (request, reply) => {
      const { users, total, nextCursor } = await listUsers(deps, request.query);
      reply.header('x-total-count', total);
      if (nextCursor) {
        const query = new URLSearchParams({ cursor: nextCursor });
        for (const name of ['search', 'tier', 'status', 'limit'] as const) {
          const value = request.query[name];
          if (value !== undefined) query.set(name, String(value));
        }
        reply.header('link', `</api/admin/users?${query}>; rel="next"`);
      }
      return reply.status(200).send(users.map(presentAdminUser));
    },
  });
  app.route({
    ...contract('adminGetUser'),
    handler: async (request, reply) => reply.status(200).send(presentAdminUser(await getUser(deps, request.params.id))),
  });
  app.route({
    ...contract('adminUpdateUser'),
    handler: async (request, reply) => {
      const suspension = { userId: request.params.id, ...request.body };
      const user = await suspendUser(deps, { admin: await requireAdmin(deps, request), ...suspension });
      return reply.status(200).send(presentAdminUser(user));
    },
  });
  app.route({
    ...contract('adminRemoveTwoFactor'),
    handler: async (request, reply) => {
      const removal = { userId: request.params.id, ...request.body };
      const user = await removeTwoFactor(deps, { admin: await requireAdmin(deps, request), ...removal });
      return reply.status(200).send(presentAdminUser(user));
    },
  });
  app.route({
    ...contract('adminSetTier'),
    handler: async (request, reply) => {
      const { subscriptionTier: tier, reason, endsAt } = request.body;
      const change = { userId: request.params.id, tier, reason, ...(endsAt && { endsAt: new Date(endsAt) }) };
      const user = await changeTier(deps, { admin: await requireAdmin(deps, request), ...change });
      return reply.status(200).send(presentAdminUser(user));
    },
  });
}
