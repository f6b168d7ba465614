import { limits } from '@uprez/contracts/policy/limits';
import { cancelBatch } from '@uprez/domain/batches/cancel-batch';
import { getBatch } from '@uprez/domain/batches/get-batch';
import { retryBatch } from '@uprez/domain/batches/retry-batch';
import type { Deps } from '../../deps.ts';
import { rawBodies } from '../../http/raw-bodies.ts';
import { bindDialect, type Dialect } from '../dialect.ts';
import { describeOperator } from '../estimates/describe-engines.ts';
import { readIdempotencyKey } from '../jobs/accept-image.ts';
import { announceBatch } from './announce-batch.ts';
import { takeItem } from './take-item.ts';

/** Batches: many images with one recipe. */
export function registerBatchRoutes(dialect: Dialect, deps: Deps): void {
  const { route, actorOf } = dialect;
  route('getBatch', async (request, reply) => {
    const found = await getBatch(deps, { actor: await actorOf(request), ...request.params });
    return reply.status(200).send(dialect.presentBatch(reply, found));
  });
  route('cancelBatch', async (request, reply) => {
    const own = { actor: await actorOf(request), ...request.params };
    await cancelBatch(deps, own);
    return reply.status(200).send(dialect.presentBatch(reply, await getBatch(deps, own)));
  });
  route('retryBatch', async (request, reply) => {
    const own = { actor: await actorOf(request), ...request.params };
    const operator = await describeOperator(deps);
    const { charged } = await retryBatch(deps, { ...own, engine: request.body?.engine, operator });
    deps.toFetch.emit('item');
    dialect.tellCharged(reply, charged);
    return reply.status(200).send(dialect.presentBatch(reply, await getBatch(deps, own)));
  });
  dialect.app.register((scope, _options, done) => {
    // The body is the file; the handler reads it once the item is known to wait for one.
    rawBodies(scope);
    registerPutItem(bindDialect(dialect, scope), deps);
    done();
  });
}

function registerPutItem(dialect: Dialect, deps: Deps): void {
  dialect.route('putBatchItem', async (request, reply) => {
    const actor = await dialect.actorOf(request);
    const entry = await takeItem(deps, actor, { request, reply, ids: request.params });
    return reply.status(200).send(dialect.presentBatchItem(reply, entry));
  });
}

/** Creating a batch under `/api`: from JSON only. `/v1` also accepts forms. */
export function registerCreateBatch({ route, actorOf, ...dialect }: Dialect, deps: Deps): void {
  route(
    'createBatch',
    async (request, reply) => {
      const actor = await actorOf(request);
      const idempotencyKey = readIdempotencyKey(request.headers['idempotency-key']);
      const { batch } = await announceBatch(deps, actor, { body: request.body, idempotencyKey });
      reply.status(201).header('location', `/api/batches/${batch.id}`);
      return reply.send(dialect.presentBatch(reply, await getBatch(deps, { actor, id: batch.id })));
    },
    { bodyLimit: limits.batchBodyBytes },
  );
}
