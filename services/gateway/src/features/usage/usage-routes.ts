import { getUsage } from '@uprez/domain/dashboard/get-usage';
import type { App } from '../../app-type.ts';
import type { Deps } from '../../deps.ts';
import { requireActor } from '../../http/authenticate.ts';
import { contract } from '../../http/contract.ts';

export function registerUsageRoutes(app: App, deps: Deps): void {
  app.route({
    ...contract('usage'),
    handler: async (request, reply) =>
      reply.status(200).send(await getUsage(deps, { actor: await requireActor(deps, request), ...request.query })),
  });
}
