import type { FastifyReply } from 'fastify';
import type { Deps } from '../deps.ts';
import type { Traits } from '../features/dialect.ts';
import { requireKey, requireKeyActor } from './bearer.ts';
import { tellCharged } from './credits.ts';
import { v1Prefix } from './paths.ts';
import { presentV1Batch, presentV1BatchItem, presentV1ManifestRow } from './present-batch.ts';
import { presentV1Job } from './present-job.ts';
import { v1Contract, v1NamesOf } from './v1-contract.ts';

/** `/v1`: the API key, absolute links, and the header `x-job-id`. Field names are changed by the plugin. */
export const v1Dialect = ({ config }: Deps): Traits => ({
  surface: 'api',
  routesOf: (name) => v1NamesOf(name).map((v1Name) => v1Contract(v1Name)),
  actorOf: async (request) => requireKeyActor(request),
  tierOf: async (request) => requireKey(request).tier,
  tellCharged,
  presentJob: (reply, found) =>
    presentV1Job(config, found, { prefix: prefixOf(reply.header('x-job-id', found.job.id)) }),
  presentDeletion: (reply, receipt) => {
    reply.header('x-job-id', receipt.id);
    return { ...receipt, jobId: receipt.id };
  },
  presentBatch: (reply, found) => presentV1Batch(config, found, prefixOf(reply)),
  presentBatchItem: (reply, entry) => presentV1BatchItem(config, entry, prefixOf(reply)),
  presentManifestRow: presentV1ManifestRow,
});

const prefixOf = (reply: FastifyReply) => v1Prefix(reply.request);
