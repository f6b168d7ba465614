import type { App } from '../../app-type.ts';
import type { Deps } from '../../deps.ts';
import { contract } from '../../http/contract.ts';
import { readPublicReadiness } from '../../readiness.ts';

export function registerHealthRoutes(app: App, deps: Deps): void {
  app.route({ ...contract('health'), handler: () => ({ status: 'ok' as const }) });
  app.route({
    ...contract('readiness'),
    handler: async (_request, reply) => {
      const state = await readPublicReadiness(deps);
      return reply.status(state.ready ? 200 : 503).send(state);
    },
  });
}
