import { getJob, type JobWithFiles } from '@uprez/domain/jobs/get-job';
import { listChangedJobs } from '@uprez/domain/jobs/list-changed-jobs';
import type { App } from '../app-type.ts';
import type { Deps } from '../deps.ts';
import { requireActor } from '../http/authenticate.ts';
import { contract } from '../http/contract.ts';
import { presentJob } from '../presenters/present-job.ts';

/**
 * One stream of all the account's jobs. Each event is a snapshot of the row; its id is the row's last change. A client
 * that reconnects gets what it missed.
 */
export function registerEventRoutes(app: App, deps: Deps): void {
  app.route({
    ...contract('events'),
    sse: 'only',
    handler: async (request, reply) => {
      const actor = await requireActor(deps, request);
      const lastEvent = Number(request.headers['last-event-id'] ?? Number.NaN);
      const send = async (found: JobWithFiles) => {
        const id = String(found.job.updatedUs);
        if (reply.sse.isConnected) await reply.sse.send({ id, event: 'job', data: presentJob(deps.config, found) });
      };
      reply.header('x-accel-buffering', 'no');
      reply.sse.keepAlive();
      const stop = deps.subscriber.subscribe(actor.accountId, ({ jobId }) => {
        getJob(deps, actor, jobId)
          .then(send)
          .catch((error: unknown) => deps.log.warn({ err: error }, 'an event was not sent'));
      });
      reply.sse.onClose(stop);
      reply.sse.sendHeaders();
      for (const found of await listChangedJobs(deps, actor, Number.isFinite(lastEvent) ? lastEvent : undefined))
        await send(found);
    },
  });
}
