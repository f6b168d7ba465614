import { cancelBatch } from '@uprez/domain/batches/cancel-batch';
import { getBatch, getBatchItem, getUnits } from '@uprez/domain/batches/get-batch';
import { openZip } from '@uprez/domain/batches/open-zip';
import { retryBatch } from '@uprez/domain/batches/retry-batch';
import { acceptFile } from '@uprez/domain/intake/accept-file';
import { describeOperator } from '@uprez/domain/intake/describe-engines';
import { create as contentDisposition } from 'content-disposition';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.ts';
import { answerEarly } from '../../http/answer-early.ts';
import { untilGone } from '../../http/closing-signal.ts';
import type { Dialect } from '../dialect.ts';
import { listZipEntries, manifestCsv, presentManifest } from './present-manifest.ts';
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

/** The results of a batch as a ZIP archive, and its manifest. */
export function registerBatchFileRoutes(dialect: Dialect, deps: Deps, closing: AbortSignal): void {
  const { route, actorOf } = dialect;
  route('batchZip', async (request, reply) => {
    const { batch, items } = await getBatch(deps, { actor: await actorOf(request), ...request.params });
    const entries = listZipEntries(items, request.query.name);
    setFileHeaders(reply, batch.createdAt, { extension: 'zip', type: 'application/zip' });
    return reply.send(openZip(deps, { entries, signal: untilGone(reply, closing) }));
  });
  type Query = { name?: string | undefined };
  const readManifest = async (request: FastifyRequest, id: string, { name: pattern }: Query) => {
    const { batch, items } = await getBatch(deps, { actor: await actorOf(request), id });
    const rows = presentManifest(items, { units: await getUnits(deps, items), pattern });
    return { batch, rows: rows.map(dialect.presentManifestRow) as typeof rows };
  };
  route('batchManifest', async (request) => (await readManifest(request, request.params.id, request.query)).rows);
  route('batchManifestCsv', async (request, reply) => {
    const { batch, rows } = await readManifest(request, request.params.id, request.query);
    setFileHeaders(reply, batch.createdAt, { extension: 'csv', type: 'text/csv; charset=utf-8' });
    return reply.send(manifestCsv(rows));
  });
}

function setFileHeaders(reply: FastifyReply, createdAt: Date, file: { extension: string; type: string }): void {
  reply.headers({
    'content-type': file.type,
    'content-disposition': contentDisposition(`batch-${createdAt.toISOString().slice(0, 10)}.${file.extension}`),
    'cache-control': 'no-store',
  });
}
