import { isSettled } from '@uprez/domain/batches/get-batch';
import type { App } from '../../app-type.ts';
import type { Deps } from '../../deps.ts';
import { requireActor } from '../../http/authenticate.ts';
import { untilGone } from '../../http/closing-signal.ts';
import { contract } from '../../http/contract.ts';
import { readIdempotencyKey } from '../jobs/accept-image.ts';
import { readWaitSeconds } from '../jobs/prefer.ts';
import { receiveFiles } from '../uploads/receive-files.ts';
import { acceptBulk } from './accept-bulk.ts';
import { presentBulk } from './present-batch.ts';
import { waitForBatch } from './wait-for-batch.ts';

export function registerBulkProcessRoutes(app: App, deps: Deps, closing: AbortSignal): void {
  app.register((scope, _options, done) => {
    scope.addContentTypeParser('*', (_request, _body, ready) => ready(null));
    registerBulkProcess(scope, deps, closing);
    done();
  });
}

/** Many images in one form: 200 with all results, or 202 while some are being made. */
function registerBulkProcess(app: App, deps: Deps, closing: AbortSignal): void {
  app.route({
    ...contract('bulkProcess'),
    handler: async (request, reply) => {
      const actor = await requireActor(deps, request);
      const idempotencyKey = readIdempotencyKey(request.headers['idempotency-key']);
      const form = await receiveFiles(deps, actor, request);
      const { batchId, woken } = await acceptBulk(deps, actor, { ...form, idempotencyKey });
      const seconds = woken ? readWaitSeconds(request.headers.prefer) : 0;
      const found = await waitForBatch(deps, { actor, batchId, seconds, signal: untilGone(reply, closing) });
      const statusUrl = `/api/batches/${batchId}`;
      reply.header('location', statusUrl);
      if (!found.items.every(isSettled)) return reply.status(202).send({ batchId, statusUrl });
      return reply.status(200).send(presentBulk(deps.config, found));
    },
  });
}
