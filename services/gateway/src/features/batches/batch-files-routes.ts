import { getBatch, getUnits } from '@uprez/domain/batches/get-batch';
import type { FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.ts';
import type { Dialect } from '../dialect.ts';
import { presentManifest } from './present-manifest.ts';
import { sendCsv } from './send-csv.ts';
import { sendZip } from './send-zip.ts';

/** The results of a batch as one archive, and its manifest. */
export function registerBatchFileRoutes(dialect: Dialect, deps: Deps, closing: AbortSignal): void {
  const { route, actorOf } = dialect;
  const readManifest = async (request: FastifyRequest, id: string, pattern: string | undefined) => {
    const { batch, items } = await getBatch(deps, { actor: await actorOf(request), id });
    return { batch, rows: presentManifest(items, { units: await getUnits(deps, items), pattern }) };
  };
  route('batchZip', async (request, reply) => {
    const found = await getBatch(deps, { actor: await actorOf(request), ...request.params });
    return sendZip(deps, reply, { found, name: request.query.name, closing });
  });
  route('batchManifest', async (request, reply) => {
    const { rows } = await readManifest(request, request.params.id, request.query.name);
    return reply.status(200).send(rows.map((row) => dialect.presentManifestRow(row)) as typeof rows);
  });
  route('batchManifestCsv', async (request, reply) => {
    const { batch, rows } = await readManifest(request, request.params.id, request.query.name);
    return sendCsv(reply, { createdAt: batch.createdAt, rows: rows.map((row) => dialect.presentManifestRow(row)) });
  });
}
