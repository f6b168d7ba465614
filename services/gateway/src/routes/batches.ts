import { limits } from '@uprez/contracts/limits';
import { parseRecipe } from '@uprez/contracts/parse-recipe';
import { cancelBatch } from '@uprez/domain/batches/cancel-batch';
import { createBatch } from '@uprez/domain/batches/create-batch';
import { getBatch, getBatchItem } from '@uprez/domain/batches/get-batch';
import { retryBatch } from '@uprez/domain/batches/retry-batch';
import type { App } from '../app-type.ts';
import type { Deps } from '../deps.ts';
import { answerEarly } from '../http/answer-early.ts';
import { requireActor } from '../http/authenticate.ts';
import { contract } from '../http/contract.ts';
import { receiveItem } from '../http/receive-item.ts';
import { acceptFile } from '../pictures/accept-file.ts';
import { readIdempotencyKey } from '../pictures/accept-picture.ts';
import { describeOperator } from '../pictures/describe-engines.ts';
import { describeItems } from '../pictures/describe-items.ts';
import { presentBatch, presentBatchItem } from '../presenters/present-batch.ts';

/** Pictures that are processed alike and come one by one. */
export function registerBatchRoutes(app: App, deps: Deps): void {
  app.route({
    ...contract('createBatch'),
    bodyLimit: limits.batchBodyBytes,
    handler: async (request, reply) => {
      const actor = await requireActor(deps, request);
      const idempotencyKey = readIdempotencyKey(request.headers['idempotency-key']);
      const { body } = request;
      const recipe = parseRecipe(Object.entries(body.recipe).map(([name, value]) => [name, String(value)]));
      const items = describeItems(actor, { body, recipe, operator: await describeOperator(deps) });
      const { acceptPartial } = body;
      const { batch } = await createBatch(deps, { actor, recipe, items, acceptPartial, idempotencyKey });
      const found = await getBatch(deps, actor, batch.id);
      return reply.status(201).header('location', `/api/batches/${batch.id}`).send(presentBatch(deps.config, found));
    },
  });
  app.route({
    ...contract('getBatch'),
    handler: async (request, reply) => {
      const found = await getBatch(deps, await requireActor(deps, request), request.params.id);
      return reply.status(200).send(presentBatch(deps.config, found));
    },
  });
  app.route({
    ...contract('cancelBatch'),
    handler: async (request, reply) => {
      const actor = await requireActor(deps, request);
      await cancelBatch(deps, actor, request.params.id);
      return reply.status(200).send(presentBatch(deps.config, await getBatch(deps, actor, request.params.id)));
    },
  });
  app.route({
    ...contract('retryBatch'),
    handler: async (request, reply) => {
      const actor = await requireActor(deps, request);
      const { id } = request.params;
      await retryBatch(deps, actor, { id, engine: request.body?.engine, operator: await describeOperator(deps) });
      return reply.status(200).send(presentBatch(deps.config, await getBatch(deps, actor, id)));
    },
  });
  app.register((scope, _options, done) => {
    // Whatever comes is the file, and is not read before somebody waits for it.
    scope.removeContentTypeParser('application/json');
    scope.addContentTypeParser('*', (_request, _body, ready) => ready(null));
    registerPutItem(scope, deps);
    done();
  });
}

function registerPutItem(app: App, deps: Deps): void {
  app.route({
    ...contract('putBatchItem'),
    handler: async (request, reply) => {
      const actor = await requireActor(deps, request);
      const own = await getBatchItem(deps, actor, request.params);
      if (own.item.status === 'waiting')
        await acceptFile(deps, actor, { own, receive: () => receiveItem(deps, actor, request) });
      answerEarly(request, reply);
      const found = await getBatchItem(deps, actor, request.params);
      return reply.status(200).send(presentBatchItem(deps.config, found));
    },
  });
}
