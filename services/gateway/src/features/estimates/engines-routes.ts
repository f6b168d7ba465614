import type { App } from '../../app-type.ts';
import type { Deps } from '../../deps.ts';
import { contract } from '../../http/contract.ts';
import { describeEngines } from './describe-engines.ts';

export function registerEngineRoutes(app: App, deps: Deps): void {
  app.route({
    ...contract('listEngines'),
    handler: async (_request, reply) => reply.status(200).send(await describeEngines(deps)),
  });
}
