import { AppError } from '@uprez/contracts/errors/app-error';
import { acceptImage } from '@uprez/domain/intake/accept-image';
import { deleteJob } from '@uprez/domain/jobs/delete-job';
import { getJob, type JobWithFiles, listJobs } from '@uprez/domain/jobs/get-job';
import { followJobs } from '@uprez/domain/waiting/follow-jobs';
import { requireNotFailed, waitForJob, withPosition } from '@uprez/domain/waiting/wait-for-job';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.ts';
import { readUser } from '../../http/authenticate.ts';
import { untilGone } from '../../http/closing-signal.ts';
import type { Dialect } from '../dialect.ts';
import { presentJob } from './present-job.ts';
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
  return reply.status(202).send({ statusUrl, ...body });
}

/** The receipt of a job, and the event stream of all jobs of an account, which only the web app has. */
export function registerWebJobRoutes({ route, actorOf }: Dialect, deps: Deps, closing: AbortSignal): void {
  route('jobReceipt', async (request) => {
    const { job } = await getJob(deps, { actor: await actorOf(request), ...request.params });
    if (!job.receipt) throw new AppError('job_not_finished');
    return job.receipt;
  });
  route(
    'events',
    async (request, reply) => {
      const actor = await actorOf(request);
      const signal = untilGone(reply, closing);
      const jobs = await followJobs(deps, { actor, lastEventUs: readLastEventUs(request), signal });
      await sendJobs(deps, { request, reply }, jobs);
    },
    { sse: 'only', exposeHeadRoute: false },
  );
}

/** The ID of the last event: microseconds since 1970. Undefined if the header is missing or invalid. */
function readLastEventUs(request: FastifyRequest): number | undefined {
  const id = String(request.headers['last-event-id'] ?? '');
  return /^\d{1,16}$/.test(id) ? Number(id) : undefined;
}

/**
 * Sends jobs as server-sent events until the client disconnects or the session ends, which is checked before each event.
 * An error ends the stream; clients reconnect with the ID of their last event.
 */
async function sendJobs(
  deps: Deps,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  jobs: AsyncIterable<JobWithFiles>,
): Promise<void> {
  reply.sse.sendHeaders();
  // Otherwise the headers would be sent with the first event.
  reply.raw.flushHeaders();
  try {
    for await (const found of jobs) {
      await readUser(deps, request);
      if (!reply.sse.isConnected) return;
      await reply.sse.send({
        id: String(found.job.updatedUs),
        event: 'job',
        data: presentJob(deps.config, await withPosition(deps, found)),
      });
    }
  } catch (error) {
    if (!(error instanceof AppError)) deps.log.warn({ err: error }, 'event stream failed');
  }
}
