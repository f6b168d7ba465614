import { planOf as planOfUser } from '@uprez/contracts/policy/plans/plan-versions';
import { describeEngines, describeOperator, listPrintProfiles } from '@uprez/domain/intake/describe-engines';
import { estimateJob } from '@uprez/domain/jobs/pipeline/estimate-job';
import type { FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.ts';
import { findUser } from '../../http/authenticate.ts';
import { defineHandlers } from '../../http/contract.ts';
import type { ApiAdapter } from '../api-adapter.ts';

export const estimateHandlers = ({ planOf, actorOf, surface }: ApiAdapter, deps: Deps) => {
  const findActor = async (request: FastifyRequest) => {
    if (surface === 'api') return actorOf(request);
    const user = await findUser(deps, request);
    return user && { accountId: user.id, plan: planOfUser(user) };
  };
  return defineHandlers({
    estimate: async (request) => {
      const [plan, operator] = [await planOf(request), await describeOperator(deps)];
      const waitSeconds = await deps.queueOrder.estimateWait(await findActor(request));
      return estimateJob({ plan, body: request.body, operator, surface, waitSeconds });
    },
    listEngines: async () => describeEngines(deps),
    listPrintProfiles: async () => listPrintProfiles(deps),
  });
};
