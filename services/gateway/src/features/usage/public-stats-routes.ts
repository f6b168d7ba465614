import { publicStatsRules } from '@uprez/contracts/schemas/public-stats';
import { getPublicStats } from '@uprez/domain/dashboard/get-public-stats';
import type { App } from '../../app-type.ts';
import type { Deps } from '../../deps.ts';
import { contract } from '../../http/contract.ts';
import { remember } from '../../http/remember.ts';

export function registerPublicStatsRoutes(app: App, deps: Deps): void {
  const stats = remember(() => getPublicStats(deps), publicStatsRules.cachedMs);
  app.route({ ...contract('publicStats'), handler: async (_request, reply) => reply.status(200).send(await stats()) });
}
