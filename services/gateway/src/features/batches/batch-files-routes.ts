import { getBatch } from '@uprez/domain/batches/get-batch';
import { getUnits } from '@uprez/domain/batches/get-units';
import type { App } from '../../app-type.ts';
import type { Deps } from '../../deps.ts';
import { requireActor } from '../../http/authenticate.ts';
import { contract } from '../../http/contract.ts';
import { presentManifest } from './present-manifest.ts';
import { sendCsv } from './send-csv.ts';
import { sendZip } from './send-zip.ts';

/** What a batch has made, as one archive, and the list of it. */
export function registerBatchFileRoutes(app: App, deps: Deps, closing: AbortSignal): void {
  app.route({
    ...contract('batchZip'),
    handler: async (request, reply) => {
      const found = await getBatch(deps, { actor: await requireActor(deps, request), id: request.params.id });
      return sendZip(deps, reply, { found, name: request.query.name, closing });
    },
  });
  app.route({
    ...contract('batchManifest'),
    handler: async (request, reply) => {
      const { items } = await getBatch(deps, { actor: await requireActor(deps, request), id: request.params.id });
      const units = await getUnits(deps, items);
      return reply.status(200).send(presentManifest(items, { units, pattern: request.query.name }));
    },
  });
  app.route({
    ...contract('batchManifestCsv'),
    handler: async (request, reply) => {
      const { batch, items } = await getBatch(deps, {
        actor: await requireActor(deps, request),
        id: request.params.id,
      });
      const units = await getUnits(deps, items);
      const rows = presentManifest(items, { units, pattern: request.query.name });
      return sendCsv(reply, { createdAt: batch.createdAt, rows });
    },
  });
}
