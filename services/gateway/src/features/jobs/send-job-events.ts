import { AppError } from '@uprez/contracts/errors/app-error';
import type { Actor } from '@uprez/domain/actor';
import type { CreatedJob } from '@uprez/domain/jobs/create-job';
import { watchJob } from '@uprez/domain/waiting/wait-for-job';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.ts';
import type { Dialect } from '../dialect.ts';
import type { EventRepresentation } from './representation.ts';

type Following = Pick<EventRepresentation, 'present'> & {
  dialect: Dialect;
  request: FastifyRequest;
  reply: FastifyReply;
  actor: Actor;
  created: CreatedJob;
  notes: readonly string[];
  signal: AbortSignal;
};

/**
 * Sends the job of a request as server-sent events, now and whenever it changes, until it ends or the client disconnects.
 * An error ends the stream, such as when the key is revoked; the job continues.
 */
export async function sendJobEvents(deps: Deps, following: Following): Promise<undefined> {
  const { dialect, request, reply, present, actor, created, notes, signal } = following;
  reply.sse.sendHeaders();
  // Otherwise the headers would be sent with the first event.
  reply.raw.flushHeaders();
  try {
    for await (const found of watchJob(deps, { actor, jobId: created.job.id, signal })) {
      await dialect.confirmCaller(request);
      if (!reply.sse.isConnected) return;
      await reply.sse.send({ id: String(found.job.updatedUs), event: 'job', data: present(found, notes) });
    }
  } catch (error) {
    if (!(error instanceof AppError)) deps.log.warn({ err: error }, 'event stream failed');
  }
}
