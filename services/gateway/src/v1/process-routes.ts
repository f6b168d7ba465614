import { limits } from '@uprez/contracts/policy/limits';
import type { JobWithFiles } from '@uprez/domain/jobs/get-job';
import { meterOf } from '@uprez/domain/jobs/planning/estimate-job';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../app-type.ts';
import type { Deps } from '../deps.ts';
import { readIdempotencyKey } from '../features/jobs/accept-image.ts';
import { readWish } from '../features/jobs/prefer.ts';
import { requireNotFailed, waitAsAsked } from '../features/jobs/wait-as-asked.ts';
import { untilGone } from '../http/closing-signal.ts';
import { rawBodies } from '../http/raw-bodies.ts';
import { acceptV1 } from './accept-process.ts';
import { requireKeyActor } from './bearer.ts';
import { tellCharged } from './credits.ts';
import { v1Prefix } from './paths.ts';
import { presentDryRun, presentV1Job } from './present-job.ts';
import { receiveV1 } from './receive-process.ts';
import { v1Contract } from './v1-contract.ts';

/** An image in any form, a job or its result back. */
export function registerV1ProcessRoutes(app: App, deps: Deps, closing: AbortSignal): void {
  app.register((scope, _options, done) => {
    rawBodies(scope);
    for (const name of ['v1Process', 'v1Resize'] as const)
      scope.route({
        ...v1Contract(name),
        handler: (request, reply) => processImage(deps, { request, reply, closing }),
      });
    done();
  });
}

type Call = { request: FastifyRequest; reply: FastifyReply; closing: AbortSignal };

async function processImage(deps: Deps, { request, reply, closing }: Call): Promise<FastifyReply> {
  const actor = requireKeyActor(request);
  const idempotencyKey = readIdempotencyKey(request.headers['idempotency-key']);
  const signal = untilGone(reply, closing);
  const form = await receiveV1(deps, actor, { request, signal });
  const { wish, planned, created } = await acceptV1(deps, actor, { ...form, idempotencyKey });
  if (!created) {
    const meter = meterOf(actor.tier, planned.plan.engine);
    const dryRun = presentDryRun({ ...planned, sizeBytes: form.upload.sizeBytes, meter }, actor.key?.isSandbox ? 0 : 1);
    return reply.status(200).send(dryRun);
  }
  // The job of an Idempotency-Key came from no cache, and was not made anew either.
  if (!created.joined) reply.header('x-cache', created.repeated ? 'hit' : 'miss');
  const seconds = readSeconds(request, reply, wish.options.async);
  const found = await waitAsAsked(deps, { actor, created, seconds, signal });
  return answerJob(deps, reply, {
    found,
    charged: created.charged,
    waited: seconds > 0,
    prefix: v1Prefix(request),
    notes: planned.notes,
  });
}

/** How long to wait: the field `async` says it, else the header `Prefer`, which hears that it was followed. */
function readSeconds({ headers }: FastifyRequest, reply: FastifyReply, isAsync: boolean | undefined): number {
  if (isAsync !== undefined) return isAsync ? 0 : limits.waitSeconds;
  const wish = readWish(headers.prefer);
  const seconds = wish ?? limits.waitSeconds;
  if (wish !== undefined) reply.header('preference-applied', seconds === 0 ? 'respond-async' : `wait=${seconds}`);
  return seconds;
}

type Answered = { found: JobWithFiles; charged: number; waited: boolean; prefix: string; notes: readonly string[] };

/**
 * 200 with the result, 202 while it is being made; for who waited, a failure as the answer's own status. Who did not reads
 * of it in the job.
 */
function answerJob(deps: Deps, reply: FastifyReply, { found, charged, waited, ...answer }: Answered): FastifyReply {
  const { job } = found;
  reply.headers({ 'x-job-id': job.id, location: `${answer.prefix}/jobs/${job.id}` });
  if (waited) requireNotFailed(found);
  tellCharged(reply, charged);
  return reply
    .status(job.status === 'completed' || job.status === 'expired' ? 200 : 202)
    .send(presentV1Job(deps.config, found, answer));
}
