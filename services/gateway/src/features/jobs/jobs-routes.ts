import { AppError } from '@uprez/contracts/errors/app-error';
import { retryJob } from '@uprez/domain/batches/retry-job';
import { describeOperator } from '@uprez/domain/intake/describe-engines';
import { deleteJob } from '@uprez/domain/jobs/delete-job';
import { getJob, listJobs } from '@uprez/domain/jobs/get-job';
import { withPosition } from '@uprez/domain/waiting/wait-for-job';
import type { FastifyReply } from 'fastify';
import type { Deps } from '../../deps.ts';
import type { Dialect } from '../dialect.ts';
import { hideThumbhash } from '../views/hide-files.ts';
import { processImage } from './process-image.ts';

/** Creating, reading, and deleting jobs. */
export function registerJobRoutes(dialect: Dialect, deps: Deps, closing: AbortSignal): void {
  const { route, actorOf } = dialect;
  route('processImage', (request, reply) => processImage(deps, { dialect, request, reply, closing }), {
    sse: 'dual',
  });
  route('listJobs', async (request, reply) => {
    const page = await listJobs(deps, { actor: await actorOf(request), ...request.query });
    const jobs = await Promise.all(
      page.jobs.map(async (job) => dialect.presentJob(request, await withPosition(deps, job))),
    );
    return (reply as FastifyReply).status(200).send(dialect.presentJobs(reply, { ...page, jobs }));
  });
  route('getJob', async (request, reply) => {
    const found = await getJob(deps, { actor: await actorOf(request), ...request.params });
    dialect.tell(reply, { 'x-job-id': found.job.id });
    return dialect.presentJob(request, await withPosition(deps, found));
  });
  route('jobReceipt', async (request, reply) => {
    const { job } = await getJob(deps, { actor: await actorOf(request), ...request.params });
    dialect.tell(reply, { 'x-job-id': job.id });
    if (!job.receipt) throw new AppError('job_not_finished');
    return hideThumbhash(request, job.receipt);
  });
  route('deleteJob', async (request, reply) => {
    const deletion = await deleteJob(deps, { actor: await actorOf(request), ...request.params });
    const isDeleted = deletion.kind === 'deleted';
    dialect.tell(reply, { 'x-job-id': isDeleted ? deletion.receipt.id : deletion.job.id });
    return isDeleted ? dialect.presentDeletion(deletion.receipt) : dialect.presentJob(request, { job: deletion.job });
  });
}

/** What only the web app does with jobs: retry failed ones. */
export function registerWebJobRoutes(dialect: Dialect, deps: Deps): void {
  const { route, actorOf } = dialect;
  route('retryJob', async (request, reply) => {
    const actor = await actorOf(request);
    await deps.admission.requireShortWait(actor);
    const operator = await describeOperator(deps);
    const { job, charged } = await retryJob(deps, { actor, ...request.params, operator });
    dialect.tell(reply, { 'x-job-id': job.id, 'x-credits-charged': charged });
    return (reply as FastifyReply).status(201).send(dialect.presentJob(request, await withPosition(deps, { job })));
  });
}
