import { getDashboard } from '@uprez/domain/dashboard/get-dashboard';
import type { App } from '../../app-type.ts';
import type { Deps } from '../../deps.ts';
import { requireActor } from '../../http/authenticate.ts';
import { contract } from '../../http/contract.ts';
import { presentDashboard } from './present-dashboard.ts';

export function registerDashboardRoutes(app: App, deps: Deps): void {
  app.route({
    ...contract('dashboardStats'),
    handler: async (request, reply) => {
      const facts = await getDashboard(deps, { actor: await requireActor(deps, request) });
      return reply.status(200).send(presentDashboard(facts));
    },
  });
}
