import { cancelBatch } from '@uprez/domain/batches/cancel-batch';
import { getBatch, getBatchItem } from '@uprez/domain/batches/get-batch';
import { retryBatch } from '@uprez/domain/batches/retry-batch';
import { acceptFile } from '@uprez/domain/intake/accept-file';
import { describeOperator } from '@uprez/domain/intake/describe-engines';
import type { Deps } from '../../deps.ts';
import { answerEarly } from '../../http/answer-early.ts';
import type { Dialect } from '../dialect.ts';
import { receiveItem } from './receive-item.ts';

/** Batches, once they are created. */
export function registerBatchRoutes(dialect: Dialect, deps: Deps): void {
  const { route, actorOf } = dialect;
  route('getBatch', async (request) => {
    const found = await getBatch(deps, { actor: await actorOf(request), ...request.params });
    return dialect.presentBatch(request, found);
  });
  route('cancelBatch', async (request) => {
    const own = { actor: await actorOf(request), ...request.params };
    await cancelBatch(deps, own);
    return dialect.presentBatch(request, await getBatch(deps, own));
  });
  route('retryBatch', async (request, reply) => {
    const own = { actor: await actorOf(request), ...request.params };
    const operator = await describeOperator(deps);
    const { charged } = await retryBatch(deps, { ...own, engine: request.body?.engine, operator });
    deps.toFetch.emit('item');
    dialect.tell(reply, { 'x-credits-charged': charged });
    return dialect.presentBatch(request, await getBatch(deps, own));
  });
  // If the item doesn't wait for a file, the body isn't read.
  route('putBatchItem', async (request, reply) => {
    const actor = await actorOf(request);
    const own = await getBatchItem(deps, { actor, ...request.params });
    if (own.item.status === 'waiting')
      await acceptFile(deps, { actor, own, receive: () => receiveItem(deps, actor, request) });
    answerEarly(request, reply);
    return dialect.presentBatchItem(request, await getBatchItem(deps, { actor, ...request.params }));
  });
}
