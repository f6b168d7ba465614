import type { Deps } from '../deps.ts';
import { findUser, requireActor } from '../http/authenticate.ts';
import { contract } from '../http/contract.ts';
import { presentBatch, presentBatchItem } from './batches/present-batch.ts';
import type { Traits } from './dialect.ts';
import { presentJob } from './jobs/present-job.ts';

/** `/api`: the session cookie, names in camelCase, links that begin at the root of the site. */
export const apiDialect = (deps: Deps): Traits => ({
  surface: 'web',
  routesOf: (name) => [contract(name)],
  actorOf: (request) => requireActor(deps, request),
  tierOf: async (request) => (await findUser(deps, request))?.tier ?? 'free',
  tellCharged: (reply) => reply,
  presentJob: (_reply, found) => presentJob(deps.config, found),
  presentDeletion: (_reply, receipt) => receipt,
  presentBatch: (_reply, found) => presentBatch(deps.config, found),
  presentBatchItem: (_reply, entry) => presentBatchItem(deps.config, entry),
  presentManifestRow: (row) => row,
});
