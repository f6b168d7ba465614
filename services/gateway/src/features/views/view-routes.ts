import { endView, listViews } from '@uprez/domain/accounts/views/account-views';
import { startView } from '@uprez/domain/admin/start-view';
import type { Deps } from '../../deps.ts';
import { requireAdmin, requireUser } from '../../http/authenticate.ts';
import { defineHandlers } from '../../http/contract.ts';

export const viewHandlers = (deps: Deps) =>
  defineHandlers({
    adminStartView: async (request, reply) => {
      const [admin, session] = [await requireAdmin(deps, request), await requireUser(deps, request)];
      const view = { userId: request.params.id, reason: request.body.reason };
      const { userId, endsAt } = await startView(deps, { admin, session, ...view });
      return reply.status(201).send({ userId, until: endsAt.toISOString() });
    },
    endView: async (request, reply) => {
      await endView(deps, await requireUser(deps, request));
      return reply.status(204).send(null);
    },
    listViews: async (request) => {
      const views = await listViews(deps, (await requireUser(deps, request)).id);
      return views.map(({ id, startedAt, endsAt }) => ({
        id,
        startedAt: startedAt.toISOString(),
        endsAt: endsAt.toISOString(),
      }));
    },
  });
