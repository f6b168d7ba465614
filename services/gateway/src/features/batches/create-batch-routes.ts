import { limits } from '@uprez/contracts/policy/limits';
import { takeSwitch } from '@uprez/contracts/recipe/parse-recipe';
import { getBatch, isSettled } from '@uprez/domain/batches/get-batch';
import { acceptBulk } from '@uprez/domain/intake/accept-bulk';
import { announceBatch } from '@uprez/domain/intake/announce-batch';
import { waitForBatch } from '@uprez/domain/waiting/wait-for-job';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.ts';
import { untilGone } from '../../http/closing-signal.ts';
import type { Dialect } from '../dialect.ts';
import { readIdempotencyKey, readWaitSeconds } from '../jobs/wait-time.ts';
import { receiveFiles } from '../uploads/receive-files.ts';

type Call = { dialect: Dialect; request: FastifyRequest; reply: FastifyReply };

/** Creating a batch from a description of its files, or from a form with all of them. `/v1` accepts both at one URL. */
export function registerCreateBatchRoutes(dialect: Dialect, deps: Deps, closing: AbortSignal): void {
  const bulk = (request: FastifyRequest, reply: FastifyReply) =>
    processFiles(deps, { dialect, request, reply, closing });
  dialect.route('bulkProcess', bulk);
  dialect.route(
    'createBatch',
    (request, reply) =>
      request.isMultipart() ? bulk(request, reply) : announceFiles(deps, { dialect, request, reply }),
    { bodyLimit: limits.batchBodyBytes },
  );
}

async function announceFiles(deps: Deps, { dialect, request, reply }: Call): Promise<FastifyReply> {
  const actor = await dialect.actorOf(request);
  const idempotencyKey = readIdempotencyKey(request);
  const body = await dialect.readNewBatch(request);
  const { batch, charged } = await announceBatch(deps, { actor, body, idempotencyKey });
  dialect.tell(reply, { 'x-credits-charged': charged });
  reply.status(201).header('location', `${dialect.prefixOf(request)}/batches/${batch.id}`);
  return reply.send(dialect.presentBatch(request, await getBatch(deps, { actor, id: batch.id })));
}

/** 200 if all items end while the caller waits, else 202. */
async function processFiles(
  deps: Deps,
  { dialect, request, reply, closing }: Call & { closing: AbortSignal },
): Promise<FastifyReply> {
  const actor = await dialect.actorOf(request);
  const idempotencyKey = readIdempotencyKey(request);
  const { files, fields } = await receiveFiles(deps, actor, request);
  // The web app has no `async`, so it stays an unknown field.
  const { value: isAsync, rest } =
    dialect.surface === 'api' ? takeSwitch(fields, 'async') : { value: undefined, rest: fields };
  const { batchId, woken, charged } = await acceptBulk(deps, { actor, files, fields: rest, idempotencyKey });
  const seconds = woken ? readWaitSeconds(dialect, reply, isAsync) : 0;
  const found = await waitForBatch(deps, { actor, batchId, seconds, signal: untilGone(reply, closing) });
  dialect.tell(reply, { 'x-credits-charged': charged });
  return reply
    .status(found.items.every(isSettled) ? 200 : 202)
    .header('location', `${dialect.prefixOf(request)}/batches/${batchId}`)
    .send(dialect.presentBulk(request, found));
}
