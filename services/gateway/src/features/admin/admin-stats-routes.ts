import { getStats } from '@uprez/domain/admin/list-users';
import type { App } from '../../app-type.ts';
import type { Deps } from '../../deps.ts';
import { contract } from '../../http/contract.ts';

export function registerAdminStatsRoutes(app: App, deps: Deps): void {
  app.route({
    ...contract('adminStats'),
    handler: async (_request, reply) => reply.status(200).send(await getStats(deps)),
  });
}
