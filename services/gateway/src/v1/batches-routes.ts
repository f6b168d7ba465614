import { AppError } from '@uprez/contracts/errors/app-error';
import { limits } from '@uprez/contracts/policy/limits';
import { v1NewBatchSchema } from '@uprez/contracts/v1/batch';
import type { Actor } from '@uprez/domain/actor';
import { getBatch, isSettled } from '@uprez/domain/batches/get-batch';
import { listBatches } from '@uprez/domain/batches/list-batches';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../app-type.ts';
import type { Deps } from '../deps.ts';
import { acceptBulk } from '../features/batches/accept-bulk.ts';
import { announceBatch } from '../features/batches/announce-batch.ts';
import { waitForBatch } from '../features/batches/wait-for-batch.ts';
import { readIdempotencyKey } from '../features/jobs/accept-image.ts';
import { readWaitSeconds } from '../features/jobs/prefer.ts';
import { receiveFiles } from '../features/uploads/receive-files.ts';
import { isJson } from '../features/uploads/receive-image.ts';
import { untilGone } from '../http/closing-signal.ts';
import { describeIssue } from '../http/describe-issue.ts';
import { rawBodies } from '../http/raw-bodies.ts';
import { readJson } from '../http/read-json.ts';
import { takeSwitch } from '../http/take-switch.ts';
import { requireKeyActor } from './bearer.ts';
import { tellCharged } from './credits.ts';
import { v1Prefix } from './paths.ts';
import { presentV1Batch, presentV1BatchSummary } from './present-batch.ts';
import { readTypes } from './read-types.ts';
import { v1Contract } from './v1-contract.ts';

/** Listing batches, and creating them from JSON or from a form. The other calls are shared with `/api`. */
export function registerV1BatchRoutes(app: App, deps: Deps, closing: AbortSignal): void {
  app.route({
    ...v1Contract('v1ListBatches'),
    handler: async (request, reply) => {
      const { batches, nextCursor } = await listBatches(deps, {
        actor: requireKeyActor(request),
        ...request.query,
      });
      const data = batches.map((found) => presentV1BatchSummary(deps.config, found, v1Prefix(request)));
      return (reply as FastifyReply).status(200).send({ data, nextCursor });
    },
  });
  app.register((scope, _options, done) => {
    rawBodies(scope);
    for (const name of ['v1CreateBatch', 'v1Bulk'] as const)
      scope.route({ ...v1Contract(name), handler: (request, reply) => makeBatch(deps, { request, reply, closing }) });
    done();
  });
}

type Call = { request: FastifyRequest; reply: FastifyReply; closing: AbortSignal };

function makeBatch(deps: Deps, call: Call): Promise<FastifyReply> {
  const { request } = call;
  if (isJson(request)) return announce(deps, call);
  if (request.isMultipart()) return takeAll(deps, call);
  throw new AppError('unsupported_media_type', { param: 'Content-Type', allowed: readTypes(request) });
}

async function announce(deps: Deps, { request, reply }: Call): Promise<FastifyReply> {
  const actor = requireKeyActor(request);
  const idempotencyKey = readIdempotencyKey(request.headers['idempotency-key']);
  const body = readBatch(await readJson(request, limits.batchBodyBytes));
  const { batch, charged } = await announceBatch(deps, actor, { body, idempotencyKey });
  return answer(deps, tellCharged(reply, charged).status(201), { actor, batchId: batch.id, request });
}

function readBatch(body: unknown) {
  const parsed = v1NewBatchSchema.safeParse(body);
  if (parsed.success) return parsed.data;
  throw describeIssue(parsed.error.issues[0] ?? {}, body);
}

async function takeAll(deps: Deps, { request, reply, closing }: Call): Promise<FastifyReply> {
  const actor = requireKeyActor(request);
  const idempotencyKey = readIdempotencyKey(request.headers['idempotency-key']);
  const { files, fields } = await receiveFiles(deps, actor, request);
  const { value: isAsync, rest } = takeSwitch(fields, 'async');
  const { batchId, woken, charged } = await acceptBulk(deps, actor, { files, fields: rest, idempotencyKey });
  const asked = isAsync === undefined ? readWaitSeconds(request.headers.prefer) : isAsync ? 0 : limits.waitSeconds;
  const seconds = woken ? asked : 0;
  const found = await waitForBatch(deps, { actor, batchId, seconds, signal: untilGone(reply, closing) });
  const status = found.items.every(isSettled) ? 200 : 202;
  return answer(deps, tellCharged(reply, charged).status(status), { actor, batchId, request });
}

type Answered = { actor: Actor; batchId: string; request: FastifyRequest };

async function answer(deps: Deps, reply: FastifyReply, { actor, batchId, request }: Answered): Promise<FastifyReply> {
  const prefix = v1Prefix(request);
  const found = await getBatch(deps, { actor, id: batchId });
  return reply.header('location', `${prefix}/batches/${batchId}`).send(presentV1Batch(deps.config, found, prefix));
}
