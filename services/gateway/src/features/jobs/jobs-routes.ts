import { AppError } from '@uprez/contracts/errors/app-error';
import { retryJob } from '@uprez/domain/batches/retry-job';
import { acceptImage } from '@uprez/domain/intake/accept-image';
import { describeOperator } from '@uprez/domain/intake/describe-engines';
import { deleteJob } from '@uprez/domain/jobs/delete-job';
import { getJob, listJobs } from '@uprez/domain/jobs/get-job';
import { reportLimit } from '@uprez/domain/report-limit';
import { requireNotFailed, waitForJob, withPosition } from '@uprez/domain/waiting/wait-for-job';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.ts';
import { untilGone } from '../../http/closing-signal.ts';
import type { Dialect } from '../dialect.ts';
import { hideThumbhash } from '../views/hide-files.ts';
import { readIdempotencyKey, readWaitSeconds } from './wait-time.ts';

/** Creating, reading, and deleting jobs. */
export function registerJobRoutes(dialect: Dialect, deps: Deps, closing: AbortSignal): void {
  const { route, actorOf } = dialect;
  route('processImage', (request, reply) => processImage(deps, { dialect, request, reply, closing }));
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

type Call = { dialect: Dialect; request: FastifyRequest; reply: FastifyReply; closing: AbortSignal };

/** 200 with the result, or 202 with the unfinished job. If the job fails while the caller waits, its error is thrown. */
async function processImage(deps: Deps, { dialect, request, reply, closing }: Call): Promise<FastifyReply> {
  const actor = await dialect.actorOf(request);
  const idempotencyKey = readIdempotencyKey(request);
  const signal = untilGone(reply, closing);
  deps.inspector.requireRoom({ key: actor.accountId, plan: actor.plan });
  const { upload, fields } = await dialect.receiveImage(actor, { request, signal });
  const parse = () => dialect.parseFields(fields);
  const accepted = await acceptImage(deps, { actor, upload, parse, idempotencyKey });
  const { created, planned } = accepted;
  if (!created) return reply.status(200).send(dialect.presentDryRun(planned, actor));
  // The job of an Idempotency-Key is neither cached nor new.
  if (!created.joined) dialect.tell(reply, { 'x-cache': created.repeated ? 'hit' : 'miss' });
  const seconds = readWaitSeconds(dialect, reply, accepted.request.options.async);
  const found = await waitForJob(deps, { actor, created, seconds, signal });
  const { id, status } = found.job;
  const statusUrl = `${dialect.prefixOf(request)}/jobs/${id}`;
  reply.headers({ 'x-job-id': id, location: statusUrl });
  if (dialect.surface === 'web' || seconds > 0) requireNotFailed(found);
  dialect.tell(reply, { 'x-credits-charged': created.charged });
  const body = dialect.presentJob(request, found, planned.notes);
  if (status === 'completed' || status === 'expired') return reply.status(200).send(body);
  if (seconds > 0) reportLimit('wait_time');
  return reply.status(202).send({ statusUrl, ...body });
}

/** What only the web app does with jobs: retry failed ones. */
export function registerWebJobRoutes(dialect: Dialect, deps: Deps): void {
  const { route, actorOf } = dialect;
  route('retryJob', async (request, reply) => {
    const operator = await describeOperator(deps);
    const { job, charged } = await retryJob(deps, { actor: await actorOf(request), ...request.params, operator });
    dialect.tell(reply, { 'x-job-id': job.id, 'x-credits-charged': charged });
    return (reply as FastifyReply).status(201).send(dialect.presentJob(request, await withPosition(deps, { job })));
  });
}
