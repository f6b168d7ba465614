import type { App } from '../../app-type.ts';
import type { Deps } from '../../deps.ts';
import { requireActor } from '../../http/authenticate.ts';
import { untilGone } from '../../http/closing-signal.ts';
import { contract } from '../../http/contract.ts';
import { followJobs } from './follow-jobs.ts';
import { readLastEventUs, sendJobs } from './send-jobs.ts';

/**
 * One stream of all the account's jobs. Each event is a snapshot of the row; its id is the row's last change. A client
 * that reconnects gets what it missed.
 */
export function registerEventRoutes(app: App, deps: Deps, closing: AbortSignal): void {
  app.route({
    ...contract('events'),
    sse: 'only',
    exposeHeadRoute: false,
    handler: async (request, reply) => {
      const actor = await requireActor(deps, request);
      const signal = untilGone(reply, closing);
      const jobs = await followJobs(deps, { actor, lastEventUs: readLastEventUs(request), signal });
      await sendJobs(deps, { request, reply }, jobs);
    },
  });
}
