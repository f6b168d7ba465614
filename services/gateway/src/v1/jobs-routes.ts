import { listJobs } from '@uprez/domain/jobs/list-jobs';
import type { FastifyReply } from 'fastify';
import type { App } from '../app-type.ts';
import type { Deps } from '../deps.ts';
import { withPosition } from '../features/jobs/with-position.ts';
import { requireKeyActor } from './bearer.ts';
import { v1Prefix } from './paths.ts';
import { presentV1Job } from './present-job.ts';
import { v1Contract } from './v1-contract.ts';

/** The list of jobs, whose filters and paging differ from those of `/api`. */
export function registerV1JobRoutes(app: App, deps: Deps): void {
  app.route({
    ...v1Contract('v1ListJobs'),
    handler: async (request, reply) => {
      const { created_after: from, created_before: until, ...page } = request.query;
      const { jobs, nextCursor = null } = await listJobs(deps, {
        actor: requireKeyActor(request),
        ...page,
        from,
        until,
      });
      const placed = await Promise.all(jobs.map((job) => withPosition(deps, job)));
      const data = placed.map((job) => presentV1Job(deps.config, job, { prefix: v1Prefix(request) }));
      return (reply as FastifyReply).status(200).send({ data, nextCursor });
    },
  });
}
