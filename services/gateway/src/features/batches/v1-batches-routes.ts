import { cancelBatch } from '@uprez/domain/batches/cancel-batch';
import { getBatch } from '@uprez/domain/batches/get-batch';
import { retryBatch } from '@uprez/domain/batches/retry-batch';
import type { App } from '../../app-type.ts';
import type { Deps } from '../../deps.ts';
import { requireKeyActor } from '../../http/bearer.ts';
import { contract } from '../../http/contract.ts';
import { tellCharged } from '../../http/credits.ts';
import { rawBodies } from '../../http/raw-bodies.ts';
import { v1Prefix } from '../../http/v1.ts';
import { describeOperator } from '../estimates/describe-engines.ts';
import { presentV1Batch, presentV1BatchItem } from './present-v1-batch.ts';
import { takeItem } from './take-item.ts';

/** Many images that are processed alike, once there is a batch of them. */
export function registerV1BatchRoutes(app: App, deps: Deps): void {
  app.route({
    ...contract('v1GetBatch'),
    handler: async (request, reply) => {
      const found = await getBatch(deps, { actor: requireKeyActor(request), id: request.params.id });
      return reply.status(200).send(presentV1Batch(deps.config, found, v1Prefix(request)));
    },
  });
  app.route({
    ...contract('v1CancelBatch'),
    handler: async (request, reply) => {
      const actor = requireKeyActor(request);
      await cancelBatch(deps, { actor, id: request.params.id });
      const found = await getBatch(deps, { actor, id: request.params.id });
      return reply.status(200).send(presentV1Batch(deps.config, found, v1Prefix(request)));
    },
  });
  app.route({
    ...contract('v1RetryBatch'),
    handler: async (request, reply) => {
      const actor = requireKeyActor(request);
      const { id } = request.params;
      const operator = await describeOperator(deps);
      const { charged } = await retryBatch(deps, { actor, id, engine: request.body?.engine, operator });
      deps.toFetch.emit('item');
      const found = await getBatch(deps, { actor, id });
      return tellCharged(reply, charged)
        .status(200)
        .send(presentV1Batch(deps.config, found, v1Prefix(request)));
    },
  });
  app.register((scope, _options, done) => {
    rawBodies(scope);
    registerPutItem(scope, deps);
    done();
  });
}

function registerPutItem(app: App, deps: Deps): void {
  app.route({
    ...contract('v1PutBatchItem'),
    handler: async (request, reply) => {
      const actor = requireKeyActor(request);
      const found = await takeItem(deps, actor, { request, reply, ids: request.params });
      return reply.status(200).send(presentV1BatchItem(deps.config, found, v1Prefix(request)));
    },
  });
}
