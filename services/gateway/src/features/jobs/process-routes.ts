import { isFinal } from '@uprez/contracts/policy/job-status';
import type { JobWithFiles } from '@uprez/domain/jobs/get-job';
import type { FastifyReply } from 'fastify';
import type { App } from '../../app-type.ts';
import type { Deps } from '../../deps.ts';
import { requireActor } from '../../http/authenticate.ts';
import { untilGone } from '../../http/closing-signal.ts';
import { contract } from '../../http/contract.ts';
import { receiveImage } from '../uploads/receive-image.ts';
import { acceptImage, readIdempotencyKey } from './accept-image.ts';
import { readWaitSeconds } from './prefer.ts';
import { presentJob } from './present-job.ts';
import { requireNotFailed, waitAsAsked } from './wait-as-asked.ts';

export function registerProcessRoutes(app: App, deps: Deps, closing: AbortSignal): void {
  app.register((scope, _options, done) => {
    // A body of another type gets this call's own refusal, and is not read for it.
    scope.addContentTypeParser('*', (_request, _body, ready) => ready(null));
    registerProcessImage(scope, deps, closing);
    done();
  });
}

function registerProcessImage(app: App, deps: Deps, closing: AbortSignal): void {
  app.route({
    ...contract('processImage'),
    handler: async (request, reply) => {
      const actor = await requireActor(deps, request);
      const idempotencyKey = readIdempotencyKey(request.headers['idempotency-key']);
      const signal = untilGone(reply, closing);
      const form = await receiveImage(deps, actor, { request, signal });
      const created = await acceptImage(deps, actor, { ...form, idempotencyKey });
      const seconds = readWaitSeconds(request.headers.prefer);
      const found = await waitAsAsked(deps, { actor, created, seconds, signal });
      return answerJob(deps, reply, found);
    },
  });
}

/** 200 with the result, 202 while it is being made, or the failure as the answer's own status. */
function answerJob(deps: Deps, reply: FastifyReply, found: JobWithFiles): FastifyReply {
  const { job } = found;
  const statusUrl = `/api/jobs/${job.id}`;
  reply.headers({ 'x-job-id': job.id, location: statusUrl });
  requireNotFailed(found);
  const body = presentJob(deps.config, found);
  return isFinal(job.status) ? reply.status(200).send(body) : reply.status(202).send({ ...body, statusUrl });
}
