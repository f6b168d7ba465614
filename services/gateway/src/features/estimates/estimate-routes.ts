import { estimateJob } from '@uprez/domain/jobs/planning/estimate-job';
import type { Deps } from '../../deps.ts';
import type { Dialect } from '../dialect.ts';
import { describeEngines, describeOperator } from './describe-engines.ts';

/** Estimates of size, time, and cost, and the engines of this installation. */
export function registerEstimateRoutes({ route, tierOf, surface }: Dialect, deps: Deps): void {
  route('estimate', async (request, reply) => {
    const [tier, operator] = [await tierOf(request), await describeOperator(deps)];
    return reply.status(200).send(estimateJob({ tier, body: request.body, operator, surface }));
  });
  route('listEngines', async (_request, reply) => reply.status(200).send(await describeEngines(deps)));
}
