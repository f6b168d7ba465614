import { describeEngines, describeOperator } from '@uprez/domain/intake/describe-engines';
import { estimateJob } from '@uprez/domain/jobs/planning/estimate-job';
import type { Deps } from '../../deps.ts';
import type { Dialect } from '../dialect.ts';

/** Estimates of jobs, and the engines of this installation. */
export function registerEstimateRoutes({ route, planOf, surface }: Dialect, deps: Deps): void {
  route('estimate', async (request) => {
    const [plan, operator] = [await planOf(request), await describeOperator(deps)];
    return estimateJob({ plan, body: request.body, operator, surface });
  });
  route('listEngines', async () => describeEngines(deps));
}
