import { AppError } from '@uprez/contracts/errors/app-error';
import type { Actor } from '@uprez/domain/actor';
import { watchJob } from '@uprez/domain/waiting/wait-for-job';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.ts';
import type { Dialect } from '../dialect.ts';
import { readLastEventUs } from './last-event.ts';
import type { EventRepresentation } from './representation.ts';

type Following = Pick<EventRepresentation, 'present'> & {
  dialect: Dialect;
  request: FastifyRequest;
  reply: FastifyReply;
  actor: Actor;
  jobId: string;
  notes: readonly string[];
  signal: AbortSignal;
};

/**
 * Sends a job as server-sent events, now and whenever it changes, until it ends or the client disconnects. A client that
 * connects again with the ID of its last event gets only later states.
 * An error ends the stream, such as when the key is revoked; the job continues.
 */
export async function sendJobEvents(deps: Deps, following: Following): Promise<undefined> {
  const { dialect, request, reply, present, actor, jobId, notes, signal } = following;
  const sinceUs = readLastEventUs(request);
  reply.sse.sendHeaders();
  // Otherwise the headers would be sent with the first event.
  reply.raw.flushHeaders();
  try {
    for await (const found of watchJob(deps, { actor, jobId, sinceUs, signal })) {
      await dialect.confirmCaller(request);
      if (!reply.sse.isConnected) return;
      await reply.sse.send({ id: String(found.job.updatedUs), event: 'job', data: present(found, notes) });
    }
  } catch (error) {
    if (!(error instanceof AppError)) deps.log.warn({ err: error }, 'event stream failed');
  }
}
