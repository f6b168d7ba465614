import { estimateJob } from '@uprez/domain/estimates/estimate-job';
import type { App } from '../../app-type.ts';
import type { Deps } from '../../deps.ts';
import { requireKeyActor } from '../../http/bearer.ts';
import { contract } from '../../http/contract.ts';
import { describeEngines, describeOperator } from './describe-engines.ts';
import { presentV1Engine, presentV1Estimate } from './present-v1-estimate.ts';

/** What would be made, and by what. */
export function registerV1EstimateRoutes(app: App, deps: Deps): void {
  app.route({
    ...contract('v1Estimate'),
    handler: async (request, reply) => {
      const { tier } = requireKeyActor(request);
      const operator = await describeOperator(deps);
      const estimate = estimateJob({ tier, body: request.body, operator, surface: 'api' });
      return reply.status(200).send(presentV1Estimate(estimate));
    },
  });
  app.route({
    ...contract('v1Engines'),
    handler: async (_request, reply) => {
      const data = (await describeEngines(deps)).map(presentV1Engine);
      return reply.status(200).send({ data, next_cursor: null });
    },
  });
}
