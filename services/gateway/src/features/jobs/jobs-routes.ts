import { AppError } from '@uprez/contracts/errors/app-error';
import { deleteJob } from '@uprez/domain/jobs/delete-job';
import { getJob } from '@uprez/domain/jobs/get-job';
import { listJobs } from '@uprez/domain/jobs/list-jobs';
import type { Deps } from '../../deps.ts';
import type { Dialect } from '../dialect.ts';
import { withPosition } from './with-position.ts';

/** Reading and deleting jobs. */
export function registerJobRoutes(dialect: Dialect, deps: Deps): void {
  const { route, actorOf } = dialect;
  route('getJob', async (request, reply) => {
    const found = await getJob(deps, { actor: await actorOf(request), ...request.params });
    return reply.status(200).send(dialect.presentJob(reply, await withPosition(deps, found)));
  });
  route('deleteJob', async (request, reply) => {
    const deletion = await deleteJob(deps, { actor: await actorOf(request), ...request.params });
    const body =
      deletion.kind === 'deleted'
        ? dialect.presentDeletion(reply, deletion.receipt)
        : dialect.presentJob(reply, { job: deletion.job });
    return reply.status(200).send(body);
  });
}

/** Calls that only `/api` has in this form. */
export function registerWebJobRoutes({ route, actorOf, ...dialect }: Dialect, deps: Deps): void {
  route('listJobs', async (request, reply) => {
    const { status, limit } = request.query;
    const { jobs, total, nextCursor } = await listJobs(deps, { actor: await actorOf(request), ...request.query });
    reply.header('x-total-count', total);
    if (nextCursor) {
      const query = new URLSearchParams({ ...(status && { status }), cursor: nextCursor });
      if (limit) query.set('limit', String(limit));
      reply.header('link', `</api/jobs?${query}>; rel="next"`);
    }
    const placed = await Promise.all(jobs.map((job) => withPosition(deps, job)));
    return reply.status(200).send(placed.map((job) => dialect.presentJob(reply, job)));
  });
  route('jobReceipt', async (request, reply) => {
    const { job } = await getJob(deps, { actor: await actorOf(request), ...request.params });
    if (!job.receipt) throw new AppError('job_not_finished');
    return reply.status(200).send(job.receipt);
  });
}
