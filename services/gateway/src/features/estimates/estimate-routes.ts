import { estimateJob } from '@uprez/domain/estimates/estimate-job';
import type { App } from '../../app-type.ts';
import type { Deps } from '../../deps.ts';
import { findUser } from '../../http/authenticate.ts';
import { contract } from '../../http/contract.ts';
import { describeOperator } from './describe-engines.ts';

export function registerEstimateRoutes(app: App, deps: Deps): void {
  app.route({
    ...contract('estimate'),
    handler: async (request, reply) => {
      const tier = (await findUser(deps, request))?.tier ?? 'free';
      const operator = await describeOperator(deps);
      return reply.status(200).send(estimateJob({ tier, body: request.body, operator }));
    },
  });
}
