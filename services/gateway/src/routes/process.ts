import { AppError } from '@uprez/contracts/app-error';
import { isFinal } from '@uprez/contracts/job-status';
import type { Actor } from '@uprez/domain/actor';
import type { CreatedJob } from '@uprez/domain/jobs/create-job';
import type { JobWithFiles } from '@uprez/domain/jobs/get-job';
import { getJob } from '@uprez/domain/jobs/get-job';
import type { FastifyReply } from 'fastify';
import type { App } from '../app-type.ts';
import type { Deps } from '../deps.ts';
import { requireActor } from '../http/authenticate.ts';
import { untilGone } from '../http/closing-signal.ts';
import { contract } from '../http/contract.ts';
import { readWaitSeconds } from '../http/prefer.ts';
import { receivePicture } from '../http/receive-picture.ts';
import { acceptPicture, readIdempotencyKey } from '../pictures/accept-picture.ts';
import { waitForJob } from '../pictures/wait-for-job.ts';
import { withPosition } from '../pictures/with-position.ts';
import { presentJob } from '../presenters/present-job.ts';

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
      const form = await receivePicture(deps, actor, { request, signal });
      const created = await acceptPicture(deps, actor, { ...form, idempotencyKey });
      const found = await waitAsAsked(deps, { actor, created, prefer: request.headers.prefer, signal });
      return answerJob(deps, reply, found);
    },
  });
}

type Asked = { actor: Actor; created: CreatedJob; prefer: string | string[] | undefined; signal: AbortSignal };

/** Where Redis did not take the wake-up nobody will start soon, so there is no point in waiting. */
function waitAsAsked(deps: Deps, { actor, created, prefer, signal }: Asked): Promise<JobWithFiles> {
  const seconds = created.woken ? readWaitSeconds(prefer) : 0;
  if (seconds === 0) return getJob(deps, actor, created.job.id);
  return waitForJob(deps, { actor, jobId: created.job.id, seconds, signal });
}

/** 200 with the result, 202 while it is being made, or the failure as the answer's own status. */
async function answerJob(deps: Deps, reply: FastifyReply, found: JobWithFiles): Promise<FastifyReply> {
  const { job } = found;
  const statusUrl = `/api/jobs/${job.id}`;
  reply.headers({ 'x-job-id': job.id, location: statusUrl });
  if (job.status === 'failed' || job.status === 'cancelled')
    throw new AppError(job.error_code ?? 'internal', job.error_detail ? { detail: job.error_detail } : {});
  const body = presentJob(deps.config, await withPosition(deps, found));
  return isFinal(job.status) ? reply.status(200).send(body) : reply.status(202).send({ ...body, statusUrl });
}
