import { readQuota } from '@uprez/domain/usage/read-quota';
import type { App } from '../app-type.ts';
import type { Deps } from '../deps.ts';
import { readKeyCalls } from '../http/plan-calls.ts';
import { requireKey } from './bearer.ts';
import { presentV1Account } from './present-account.ts';
import { v1Contract } from './v1-contract.ts';

/** What a key may still use of its account's plan. */
export function registerV1AccountRoutes(app: App, deps: Deps): void {
  app.route({
    ...v1Contract('v1Account'),
    handler: async (request, reply) => {
      const key = requireKey(request);
      const { meters: quota } = await readQuota(deps, { actor: { accountId: key.accountId } });
      const callsPerMinute = await readKeyCalls(deps, key);
      return reply.status(200).send(presentV1Account(key, { quota, callsPerMinute }));
    },
  });
}
