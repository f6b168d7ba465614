import { acceptImage } from '@uprez/domain/intake/accept-image';
import { requireNotFailed, waitForJob } from '@uprez/domain/waiting/wait-for-job';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.ts';
import { untilGone } from '../../http/closing-signal.ts';
import type { Dialect } from '../dialect.ts';
import { readIdempotencyKey, readWaitSeconds } from './wait-time.ts';

type Call = { dialect: Dialect; request: FastifyRequest; reply: FastifyReply; closing: AbortSignal };

/** Processing one image. */
export function registerProcessRoutes(dialect: Dialect, deps: Deps, closing: AbortSignal): void {
  dialect.route('processImage', (request, reply) => processImage(deps, { dialect, request, reply, closing }));
}

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
