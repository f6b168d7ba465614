import { AppError } from '@uprez/contracts/errors/app-error';
import type { JobWithFiles } from '@uprez/domain/jobs/get-job';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.ts';
import { readUser } from '../../http/authenticate.ts';
import { hasBody } from '../../http/bodies/request-bodies.ts';
import { makeDisconnectSignal } from '../../http/connections.ts';
import { defineHandlers } from '../../http/contract.ts';
import { addressOf } from '../../http/request-callers.ts';
import type { ApiAdapter } from '../api-adapter.ts';
import { presentJob } from './present-job.ts';

/** Handler for the event stream with all jobs of an account. Only the web app has this stream. */
export const eventHandlers = ({ actorOf }: ApiAdapter, deps: Deps, closing: AbortSignal) =>
  defineHandlers({
    events: {
      handler: async (request, reply) => {
        // Rejects requests with a body, because an unread body pauses the connection, and a disconnect then isn't
        // detected.
        if (hasBody(request.raw)) throw new AppError('malformed_body', { detail: "This request can't have a body." });
        const actor = await actorOf(request);
        const signal = makeDisconnectSignal(reply, closing);
        const release = deps.takeStreamSlot({ account: actor.accountId, address: addressOf(request) });
        signal.addEventListener('abort', release, { once: true });
        if (signal.aborted) return release();
        const jobs = await deps.jobFollower.follow({ actor, lastEventUs: readLastEventUs(request), signal });
        await streamJobEvents(deps, { request, reply, accountId: actor.accountId }, jobs);
      },
      sse: 'only',
      exposeHeadRoute: false,
    },
  });

/**
 * Sends jobs as server-sent events until the client disconnects or the session ends. The session is checked before each
 * event. An error ends the stream; clients reconnect with the ID of their last event.
 */
async function streamJobEvents(
  deps: Deps,
  { request, reply, accountId }: { request: FastifyRequest; reply: FastifyReply; accountId: string },
  jobs: AsyncIterable<JobWithFiles>,
): Promise<void> {
  reply.sse.sendHeaders();
  // Otherwise the headers would only be sent with the first event.
  reply.raw.flushHeaders();
  try {
    for await (const found of jobs) {
      // An administrator may have started to view another account in this session.
      const { id } = await readUser(deps, request);
      if (id !== accountId || !reply.sse.isConnected) return;
      await reply.sse.send({ id: String(found.job.updatedUs), event: 'job', data: presentJob(deps.config, found) });
    }
  } catch (error) {
    if (!(error instanceof AppError)) deps.log.warn({ err: error }, 'event stream failed');
  }
}

/** Returns the ID of the last event, in microseconds since 1970. Undefined if the header is missing or invalid. */
export function readLastEventUs(request: Pick<FastifyRequest, 'headers'>): number | undefined {
  const id = String(request.headers['last-event-id'] ?? '');
  return /^\d{1,16}$/.test(id) ? Number(id) : undefined;
}
