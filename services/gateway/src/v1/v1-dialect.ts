import { limits } from '@uprez/contracts/policy/limits';
import { type NewBatchBody, newBatchSchema } from '@uprez/contracts/schemas/batch';
import { parseV1 } from '@uprez/contracts/v1/parse-v1';
import { v1Schemas } from '@uprez/contracts/v1/schemas';
import { meterOf } from '@uprez/domain/jobs/planning/estimate-job';
import type { FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import type { Traits } from '../features/dialect.ts';
import { isJson } from '../features/uploads/receive-image.ts';
import { describeIssue } from '../http/describe-issue.ts';
import { readJson } from '../http/read-json.ts';
import { parseUnset } from '../http/validate.ts';
import { confirmKey, requireKeyActor } from './bearer.ts';
import { applyKeyOrigins } from './cors.ts';
import { unsupportedType } from './errors.ts';
import { negotiate } from './negotiate.ts';
import { v1Prefix } from './paths.ts';
import { presentDryRun, presentV1Batch, presentV1BatchItem, presentV1Job, presentV1ManifestRow } from './presenters.ts';
import { receiveV1 } from './receive-process.ts';
import { camelNames, toV1Body } from './snake-case.ts';
import { v1Contract, v1NamesOf } from './v1-contract.ts';

/** `/v1`: API keys, absolute URLs, and headers about credits, jobs, and caching. The plugin renames the fields. */
export const v1Dialect = (deps: Deps): Traits => {
  const { config } = deps;
  return {
    surface: 'api',
    routesOf: (name) => v1NamesOf(name).map((v1Name) => v1Contract(v1Name)),
    rawBodies: { processImage: 'all', createBatch: 'all', putBatchItem: 'all' },
    actorOf: async (request) => requireKeyActor(request),
    planOf: async (request) => requireKeyActor(request).plan,
    prefixOf: v1Prefix,
    tell: (reply, headers) => reply.headers(headers),
    openToPages: async ({ request, reply }, { job }) => {
      reply.header('cross-origin-resource-policy', 'cross-origin');
      await applyKeyOrigins(deps, { request, reply }, () => deps.keyOrigins.ofJob(job));
    },
    negotiate: (request) =>
      negotiate(request, (found, notes) =>
        v1Schemas.Job.parse(toV1Body(presentV1Job(config, found, { prefix: v1Prefix(request), notes }))),
      ),
    confirmCaller: (request) => confirmKey(deps, request),
    receiveImage: (actor, receiving) => receiveV1(deps, actor, receiving),
    parseFields: parseV1,
    readNewBatch,
    presentJob: (request, found, notes) => presentV1Job(config, found, { prefix: v1Prefix(request), notes }),
    presentJobs: (_reply, { jobs, nextCursor = null }) => ({ data: jobs, nextCursor }),
    presentDryRun: (planned, { plan, key }) =>
      presentDryRun(planned, { meter: meterOf(plan, planned.plan.engine), units: key?.isSandbox ? 0 : 1 }),
    presentDeletion: (receipt) => ({ ...receipt, jobId: receipt.id }),
    presentBatch: (request, found, notes) => presentV1Batch(config, found, { prefix: v1Prefix(request), notes }),
    presentBulk: (request, found, notes) => presentV1Batch(config, found, { prefix: v1Prefix(request), notes }),
    presentBatchItem: (request, entry) => presentV1BatchItem(config, entry, v1Prefix(request)),
    presentManifestRow: presentV1ManifestRow,
  };
};

async function readNewBatch(request: FastifyRequest): Promise<NewBatchBody> {
  if (!isJson(request)) throw unsupportedType(request);
  const body = await readJson(request, limits.batchBodyBytes);
  const parsed = parseUnset(newBatchSchema, camelNames(body));
  if (parsed.success) return parsed.data;
  throw describeIssue(parsed.error.issues[0] ?? {}, body);
}
