import { getBatch } from '@uprez/domain/batches/get-batch';
import { getUnits } from '@uprez/domain/batches/get-units';
import type { FastifyRequest } from 'fastify';
import type { App } from '../../app-type.ts';
import type { Deps } from '../../deps.ts';
import { requireKeyActor } from '../../http/bearer.ts';
import { contract } from '../../http/contract.ts';
import { presentManifest } from './present-manifest.ts';
import { presentV1ManifestRow } from './present-v1-batch.ts';
import { sendCsv } from './send-csv.ts';
import { sendZip } from './send-zip.ts';

/** What a batch has made, as one archive, and the list of it. */
export function registerV1BatchFileRoutes(app: App, deps: Deps, closing: AbortSignal): void {
  app.route({
    ...contract('v1BatchZip'),
    handler: async (request, reply) => {
      const found = await getBatch(deps, { actor: requireKeyActor(request), id: request.params.id });
      return sendZip(deps, reply, { found, name: request.query.name, closing });
    },
  });
  app.route({
    ...contract('v1BatchManifest'),
    handler: async (request, reply) => {
      const { rows } = await readRows(deps, request, { ...request.params, pattern: request.query.name });
      return reply.status(200).send({ data: rows, next_cursor: null });
    },
  });
  app.route({
    ...contract('v1BatchManifestCsv'),
    handler: async (request, reply) =>
      sendCsv(reply, await readRows(deps, request, { ...request.params, pattern: request.query.name })),
  });
}

async function readRows(deps: Deps, request: FastifyRequest, asked: { id: string; pattern: string | undefined }) {
  const { batch, items } = await getBatch(deps, { actor: requireKeyActor(request), id: asked.id });
  const units = await getUnits(deps, items);
  const rows = presentManifest(items, { units, pattern: asked.pattern }).map(presentV1ManifestRow);
  return { createdAt: batch.createdAt, rows };
}
