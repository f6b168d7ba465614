import { limits } from '@uprez/contracts/policy/limits';
import { cancelBatch } from '@uprez/domain/batches/cancel-batch';
import { getBatch } from '@uprez/domain/batches/get-batch';
import { retryBatch } from '@uprez/domain/batches/retry-batch';
import type { App } from '../../app-type.ts';
import type { Deps } from '../../deps.ts';
import { requireActor } from '../../http/authenticate.ts';
import { contract } from '../../http/contract.ts';
import { rawBodies } from '../../http/raw-bodies.ts';
import { describeOperator } from '../estimates/describe-engines.ts';
import { readIdempotencyKey } from '../jobs/accept-image.ts';
import { announceBatch } from './announce-batch.ts';
import { presentBatch, presentBatchItem } from './present-batch.ts';
import { takeItem } from './take-item.ts';

/** Images that are processed alike and come one by one. */
export function registerBatchRoutes(app: App, deps: Deps): void {
  app.route({
    ...contract('createBatch'),
    bodyLimit: limits.batchBodyBytes,
    handler: async (request, reply) => {
      const actor = await requireActor(deps, request);
      const idempotencyKey = readIdempotencyKey(request.headers['idempotency-key']);
      const { body } = request;
      const { batch } = await announceBatch(deps, actor, { body, idempotencyKey });
      const found = await getBatch(deps, { actor, id: batch.id });
      return reply.status(201).header('location', `/api/batches/${batch.id}`).send(presentBatch(deps.config, found));
    },
  });
  app.route({
    ...contract('getBatch'),
    handler: async (request, reply) => {
      const found = await getBatch(deps, { actor: await requireActor(deps, request), id: request.params.id });
      return reply.status(200).send(presentBatch(deps.config, found));
    },
  });
  app.route({
    ...contract('cancelBatch'),
    handler: async (request, reply) => {
      const actor = await requireActor(deps, request);
      await cancelBatch(deps, { actor, id: request.params.id });
      return reply.status(200).send(presentBatch(deps.config, await getBatch(deps, { actor, id: request.params.id })));
    },
  });
  app.route({
    ...contract('retryBatch'),
    handler: async (request, reply) => {
      const actor = await requireActor(deps, request);
      const { id } = request.params;
      await retryBatch(deps, { actor, id, engine: request.body?.engine, operator: await describeOperator(deps) });
      deps.toFetch.emit('item');
      return reply.status(200).send(presentBatch(deps.config, await getBatch(deps, { actor, id })));
    },
  });
  app.register((scope, _options, done) => {
    // Whatever comes is the file, and is not read before somebody waits for it.
    rawBodies(scope);
    registerPutItem(scope, deps);
    done();
  });
}

function registerPutItem(app: App, deps: Deps): void {
  app.route({
    ...contract('putBatchItem'),
    handler: async (request, reply) => {
      const actor = await requireActor(deps, request);
      const found = await takeItem(deps, actor, { request, reply, ids: request.params });
      return reply.status(200).send(presentBatchItem(deps.config, found));
    },
  });
}
