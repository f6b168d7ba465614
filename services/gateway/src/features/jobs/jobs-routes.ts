import { AppError } from '@uprez/contracts/errors/app-error';
import { isFinal } from '@uprez/contracts/policy/job-status';
import type { Actor } from '@uprez/domain/actor';
import { retryJob } from '@uprez/domain/batches/retry-job';
import { describeOperator } from '@uprez/domain/intake/describe-engines';
import { deleteJob } from '@uprez/domain/jobs/delete-job';
import { getJob, type JobWithFiles, listJobs } from '@uprez/domain/jobs/get-job';
import { withPosition } from '@uprez/domain/waiting/wait-for-job';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.ts';
import { untilGone } from '../../http/closing-signal.ts';
import type { Dialect } from '../dialect.ts';
import { hideThumbhash } from '../views/hide-files.ts';
import { readLastEventUs } from './last-event.ts';
import { openStream, processImage } from './process-image.ts';
import { sendJobEvents } from './send-job-events.ts';

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
  route(
    'getJob',
    async (request, reply) => {
      const actor = await actorOf(request);
      const found = await getJob(deps, { actor, ...request.params });
      dialect.tell(reply, { 'x-job-id': found.job.id });
      if (dialect.surface === 'api' && acceptsEvents(request))
        return followJob(deps, { dialect, request, reply: reply as FastifyReply, closing, actor, found });
      return dialect.presentJob(request, await withPosition(deps, found));
    },
    { sse: 'dual' },
  );
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

type Follow = {
  dialect: Dialect;
  request: FastifyRequest;
  reply: FastifyReply;
  closing: AbortSignal;
  actor: Actor;
  found: JobWithFiles;
};

const acceptsEvents = ({ method, headers }: FastifyRequest) =>
  method === 'GET' && /\btext\/event-stream\b/i.test(headers.accept ?? '');

/**
 * Sends a job as events if the client prefers them. 204 tells a client that has seen the end of the job not to connect again
 * (HTML, 9.2.3).
 */
async function followJob(deps: Deps, call: Follow) {
  const { dialect, request, reply, closing, actor, found } = call;
  const wanted = dialect.negotiate(request);
  if (wanted.kind !== 'events') return dialect.presentJob(request, await withPosition(deps, found));
  const { id: jobId, status, updatedUs } = found.job;
  if (isFinal(status) && readLastEventUs(request) === updatedUs) return reply.status(204).send();
  const signal = untilGone(reply, closing);
  openStream(deps, { request, reply, accountId: actor.accountId, signal });
  return sendJobEvents(deps, { dialect, request, reply, present: wanted.present, actor, jobId, notes: [], signal });
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
