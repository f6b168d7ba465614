import { makePlanCards } from '@uprez/contracts/policy/plan-cards';
import type { App } from '../../app-type.ts';
import { contract } from '../../http/contract.ts';

export function registerPlanRoutes(app: App): void {
  app.route({ ...contract('listPlans'), handler: (_request, reply) => reply.status(200).send(makePlanCards()) });
}
