import { AppError } from '@uprez/contracts/errors/app-error';
import { limits } from '@uprez/contracts/policy/limits';
import { findField } from '@uprez/contracts/recipe/parse-recipe';
import { type NewBatchBody, newBatchSchema } from '@uprez/contracts/schemas/jobs/batch';
import { parseV1Request } from '@uprez/contracts/v1/parse-v1-request';
import { v1Schemas } from '@uprez/contracts/v1/schemas';
import { planMeterOf } from '@uprez/domain/jobs/pipeline/estimate-job';
import { readQuota } from '@uprez/domain/usage/read-quota';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../app-type.ts';
import type { Deps } from '../deps.ts';
import type { ApiAdapter } from '../features/api-adapter.ts';
import { negotiate } from '../features/jobs/request-preferences.ts';
import { isJson } from '../features/uploads/receive-image.ts';
import { readJson } from '../http/bodies/read-json.ts';
import { contract, routeOf } from '../http/contract.ts';
import { describeMissingRoute } from '../http/handle-error.ts';
import type { RequestCounter } from '../http/rate-limit.ts';
import { registerRoute } from '../http/register-route.ts';
import { describeIssue, parseNullAsUnset } from '../http/validate.ts';
import { applyKeyOrigins } from './cors.ts';
import { unsupportedType } from './errors.ts';
import { confirmKey, findKey, registerKeyedApi, requireKeyActor } from './keyed-api.ts';
import { v1Prefix } from './paths.ts';
import {
  presentDryRun,
  presentV1Batch,
  presentV1BatchItem,
  presentV1Job,
  presentV1ManifestRow,
  toCamelCaseKeys,
  toCamelCaseNames,
  toV1Body,
} from './presenters.ts';
import { receiveV1Form } from './receive-v1-form.ts';
import { type V1Name, v1Handlers } from './v1-handlers.ts';

type Options = { deps: Deps; countRequest: RequestCounter; closing: AbortSignal };

/**
 * The public API, mounted at `/v1`, with API keys, names in snake_case, and errors as problem documents. It shares its
 * handlers with `/api`. Field names in request bodies are converted to camelCase before validation, and field names in
 * responses to snake_case after the handler. `closing` aborts waits and streams when the gateway stops.
 */
export async function v1Plugin(app: App, { deps, countRequest, closing }: Options): Promise<void> {
  registerKeyedApi(app, { deps, countRequest });
  app.setNotFoundHandler((request, reply) => {
    throw describeMissingRoute(request, reply);
  });
  registerCredits(app, deps);
  app.addHook('preValidation', async (request) => {
    refuseUnknownQuery(request);
    request.body = toCamelCaseKeys(request.body);
  });
  app.addHook('preSerialization', async (_request, _reply, payload) => toV1Body(payload));
  registerV1Routes(app, deps, closing);
}

/** Endpoints that read the request body themselves. */
const rawBodies: ReadonlySet<V1Name> = new Set(['v1Process', 'v1Resize', 'v1CreateBatch', 'v1Bulk', 'v1PutBatchItem']);

/** Registers the routes under `/v1` without their hooks. Paths are relative to the plugin's prefix. */
export function registerV1Routes(app: App, deps: Deps, closing: AbortSignal): void {
  const handlers = v1Handlers(app, deps, { adapter: v1Adapter(deps), closing });
  for (const name of Object.keys(handlers) as V1Name[]) {
    const row = contract(name);
    const served = { handler: handlers[name], rawBody: rawBodies.has(name) ? 'all' : undefined } as const;
    registerRoute(app, { ...row, url: row.url.replace(/^\/v1/, '') }, served);
  }
}

const rawQueryRoutes: readonly (string | undefined)[] = ['v1Process', 'v1Resize'];

/**
 * Throws `invalid_parameter` for query parameters on endpoints that have none. Otherwise, an image option in the URL
 * would be ignored, but the image would be charged.
 *
 * Accepts any parameters for shareable links, and for event streams, because clients add parameters when they
 * reconnect.
 */
function refuseUnknownQuery(request: FastifyRequest): void {
  const { schema } = request.routeOptions;
  const route = routeOf(request);
  if (route?.auth !== 'key' || schema?.querystring || rawQueryRoutes.includes(route.name)) return;
  if (request.method === 'GET' && request.headers.accept?.includes('text/event-stream')) return;
  const [param] = Object.keys(request.query as object);
  if (param === undefined) return;
  const hint =
    findField(param) !== undefined && request.method !== 'GET' ? { hint: 'Send image options in the body.' } : {};
  throw new AppError('invalid_parameter', { detail: `Unknown parameter "${param.slice(0, 40)}".`, param, ...hint });
}

const chargedHeader = 'x-credits-charged';

/**
 * Whether a response reports remaining credits. Rate limit and server errors don't, because reading the credits would
 * make these responses more expensive.
 */
const reportsCredits = (request: FastifyRequest, { statusCode }: FastifyReply) =>
  (routeOf(request)?.scope === 'process' || routeOf(request)?.name === 'v1Account') &&
  statusCode !== 429 &&
  statusCode < 500;

function registerCredits(app: FastifyInstance, deps: Pick<Deps, 'db' | 'log'>): void {
  app.addHook('onSend', async (request, reply) => {
    const key = findKey(request);
    if (!key || !reportsCredits(request, reply)) return;
    if (!reply.hasHeader(chargedHeader)) reply.header(chargedHeader, 0);
    try {
      const { meters, period } = await readQuota(deps, { actor: { accountId: key.accountId } });
      reply.headers({
        'x-credits-remaining': meters.reduce((sum, { left }) => sum + left, 0),
        'x-quota-reset': period.endsAt.toISOString(),
      });
    } catch (error) {
      deps.log.warn({ err: error }, 'remaining credits could not be read');
    }
  });
}

/** API keys and absolute URLs. The plugin renames the fields. */
const v1Adapter = (deps: Deps): ApiAdapter => {
  const { config } = deps;
  return {
    surface: 'api',
    actorOf: async (request) => requireKeyActor(request),
    planOf: async (request) => requireKeyActor(request).plan,
    prefixOf: v1Prefix,
    setHeaders: (reply, headers) => reply.headers(headers),
    openToPages: async ({ request, reply }, { job }) => {
      reply.header('cross-origin-resource-policy', 'cross-origin');
      await applyKeyOrigins(deps, { request, reply }, () => deps.keyOrigins.ofJob(job));
    },
    negotiate: (request) =>
      negotiate(request, (found, notes) =>
        v1Schemas.Job.parse(toV1Body(presentV1Job(config, found, { prefix: v1Prefix(request), notes }))),
      ),
    confirmCaller: (request) => confirmKey(deps, request),
    receiveImage: (actor, receiving) => receiveV1Form(deps, actor, receiving),
    parseFields: parseV1Request,
    readNewBatch,
    presentJob: (request, found, notes) => presentV1Job(config, found, { prefix: v1Prefix(request), notes }),
    presentJobs: (_reply, { jobs, nextCursor = null }) => ({ data: jobs, nextCursor }),
    presentDryRun: (prepared, { plan, key }) =>
      presentDryRun(prepared, { meter: planMeterOf(plan, prepared.plan.engine), units: key?.isSandbox ? 0 : 1 }),
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
  const parsed = parseNullAsUnset(newBatchSchema, toCamelCaseNames(body));
  if (parsed.success) return parsed.data;
  throw describeIssue(parsed.error.issues[0] ?? {}, body);
}
