import { AppError } from '@uprez/contracts/errors/app-error';
import { deleteJob } from '@uprez/domain/jobs/delete-job';
import { getJob, type JobWithFiles, listJobs } from '@uprez/domain/jobs/get-job';
import { followJobs } from '@uprez/domain/waiting/follow-jobs';
import { withPosition } from '@uprez/domain/waiting/wait-for-job';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.ts';
import { readUser } from '../../http/authenticate.ts';
import { untilGone } from '../../http/closing-signal.ts';
import type { Dialect } from '../dialect.ts';
import { presentJob } from './present-job.ts';

/** Reading and deleting jobs. */
export function registerJobRoutes(dialect: Dialect, deps: Deps): void {
  const { route, actorOf } = dialect;
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
