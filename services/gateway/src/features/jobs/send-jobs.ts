import { AppError } from '@uprez/contracts/errors/app-error';
import type { JobWithFiles } from '@uprez/domain/jobs/get-job';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.ts';
import { readUser } from '../../http/authenticate.ts';
import { presentJob } from './present-job.ts';
import { withPosition } from './with-position.ts';

/** Microseconds since 1970, as the ids of our events are; undefined when the header is none of them. */
export function readLastEventUs(request: FastifyRequest): number | undefined {
  const id = String(request.headers['last-event-id'] ?? '');
  return /^\d{1,16}$/.test(id) ? Number(id) : undefined;
}

/**
 * Send jobs as server-sent events until there are no more, the caller has gone, or the session has ended: it is asked
 * for again before each event. A fault ends the stream; the client comes back with its last event's id.
 */
export async function sendJobs(
  deps: Pick<Deps, 'db' | 'settings' | 'config' | 'log' | 'queueOrder'>,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  jobs: AsyncIterable<JobWithFiles>,
): Promise<void> {
  reply.sse.sendHeaders();
  // Else they would wait for the first event, and the client with them.
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
    if (!(error instanceof AppError)) deps.log.warn({ err: error }, 'an event stream broke');
  }
}
