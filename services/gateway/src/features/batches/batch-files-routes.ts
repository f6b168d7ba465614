import { getBatch, getUnits } from '@uprez/domain/batches/get-batch';
import { openZip } from '@uprez/domain/batches/open-zip';
import { create as contentDisposition } from 'content-disposition';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.ts';
import { untilGone } from '../../http/closing-signal.ts';
import type { Dialect } from '../dialect.ts';
import { listZipEntries, manifestCsv, presentManifest } from './present-manifest.ts';

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
