import { AppError } from '@uprez/contracts/errors/app-error';
import { deleteJob } from '@uprez/domain/jobs/delete-job';
import { getJob } from '@uprez/domain/jobs/get-job';
import { listJobs } from '@uprez/domain/jobs/list-jobs';
import type { App } from '../../app-type.ts';
import type { Deps } from '../../deps.ts';
import { requireActor } from '../../http/authenticate.ts';
import { contract } from '../../http/contract.ts';
import { presentJob } from './present-job.ts';
import { withPosition } from './with-position.ts';

export function registerJobRoutes(app: App, deps: Deps): void {
  app.route({
    ...contract('listJobs'),
    handler: async (request, reply) => {
      const { jobs, total, nextCursor } = await listJobs(deps, {
        actor: await requireActor(deps, request),
        ...request.query,
      });
      reply.header('x-total-count', total);
      if (nextCursor) {
        const query = new URLSearchParams({
          ...(request.query.status && { status: request.query.status }),
          cursor: nextCursor,
        });
        if (request.query.limit) query.set('limit', String(request.query.limit));
        reply.header('link', `</api/jobs?${query}>; rel="next"`);
      }
      const placed = await Promise.all(jobs.map((job) => withPosition(deps, job)));
      return reply.status(200).send(placed.map((job) => presentJob(deps.config, job)));
    },
  });
  app.route({
    ...contract('getJob'),
    handler: async (request, reply) => {
      const found = await getJob(deps, { actor: await requireActor(deps, request), id: request.params.id });
      return reply.status(200).send(presentJob(deps.config, await withPosition(deps, found)));
    },
  });
  app.route({
    ...contract('jobReceipt'),
    handler: async (request, reply) => {
      const { job } = await getJob(deps, { actor: await requireActor(deps, request), id: request.params.id });
      if (!job.receipt) throw new AppError('job_not_finished');
      return reply.status(200).send(job.receipt);
    },
  });
  app.route({
    ...contract('deleteJob'),
    handler: async (request, reply) => {
      const deletion = await deleteJob(deps, { actor: await requireActor(deps, request), id: request.params.id });
      const answer = deletion.kind === 'deleted' ? deletion.receipt : presentJob(deps.config, { job: deletion.job });
      return reply.status(200).send(answer);
    },
  });
}
