import { deleteJob } from '@uprez/domain/jobs/delete-job';
import { getJob } from '@uprez/domain/jobs/get-job';
import { listJobs } from '@uprez/domain/jobs/list-jobs';
import type { App } from '../../app-type.ts';
import type { Deps } from '../../deps.ts';
import { requireKeyActor } from '../../http/bearer.ts';
import { contract } from '../../http/contract.ts';
import { v1Prefix } from '../../http/v1.ts';
import { presentV1Job } from './present-v1-job.ts';
import { withPosition } from './with-position.ts';

/** What became of images. */
export function registerV1JobRoutes(app: App, deps: Deps): void {
  app.route({
    ...contract('v1ListJobs'),
    handler: async (request, reply) => {
      const { created_after: from, created_before: until, ...page } = request.query;
      const { jobs, nextCursor } = await listJobs(deps, { actor: requireKeyActor(request), ...page, from, until });
      const placed = await Promise.all(jobs.map((job) => withPosition(deps, job)));
      const prefix = v1Prefix(request);
      const data = placed.map((job) => presentV1Job(deps.config, job, { prefix }));
      return reply.status(200).send({ data, next_cursor: nextCursor ?? null });
    },
  });
  for (const name of ['v1GetJob', 'v1JobStatus'] as const)
    app.route({
      ...contract(name),
      handler: async (request, reply) => {
        const found = await getJob(deps, { actor: requireKeyActor(request), id: request.params.id });
        reply.header('x-job-id', found.job.id);
        const prefix = v1Prefix(request);
        return reply.status(200).send(presentV1Job(deps.config, await withPosition(deps, found), { prefix }));
      },
    });
  app.route({
    ...contract('v1DeleteJob'),
    handler: async (request, reply) => {
      const deletion = await deleteJob(deps, { actor: requireKeyActor(request), id: request.params.id });
      reply.header('x-job-id', deletion.job.id);
      if (deletion.kind === 'cancelled')
        return reply.status(200).send(presentV1Job(deps.config, { job: deletion.job }, { prefix: v1Prefix(request) }));
      const { id, deletedAt, objects } = deletion.receipt;
      return reply.status(200).send({ id, job_id: id, deleted_at: deletedAt, objects });
    },
  });
}
