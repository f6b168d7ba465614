import { makeOpenApi } from '@uprez/contracts/docs/openapi/make-open-api';
import { makePostmanCollection } from '@uprez/contracts/docs/openapi/make-postman-collection';
import type { serviceRoutes, v1Routes } from '@uprez/contracts/endpoints/routes-v1';
import type { Role } from '@uprez/contracts/policy/admin/permissions';
import { planOf } from '@uprez/contracts/policy/plans/plan-versions';
import { keyScopes } from '@uprez/contracts/schemas/api-keys';
import { getStats } from '@uprez/domain/admin/list-users';
import { listBatches } from '@uprez/domain/batches/get-batch';
import { readQuota } from '@uprez/domain/usage/read-quota';
import type { App } from '../app-type.ts';
import type { Deps } from '../deps.ts';
import type { ApiAdapter } from '../features/api-adapter.ts';
import { imageHandlers } from '../features/image-urls/image-routes.ts';
import { sharedHandlers } from '../features/shared-handlers.ts';
import { type AnyHandler, defineHandlers } from '../http/contract.ts';
import { absoluteUrl } from '../http/public-links.ts';
import { documentHandler } from '../http/web/send-text.ts';
import { readKeyCalls, requireKey, requireKeyActor } from './keyed-api.ts';
import { v1Prefix } from './paths.ts';
import { presentV1BatchSummary } from './presenters.ts';

/** What service keys with the scope `admin:read` can read. */
const serviceRole: Role = 'viewer';

type HandlerContext = { adapter: ApiAdapter; closing: AbortSignal };

/**
 * Returns the handlers of all endpoints of `/v1`. A missing handler is a compile error. `closing` aborts fetches,
 * waits, and streams when the gateway stops.
 */
export function v1Handlers(app: App, deps: Deps, { adapter, closing }: HandlerContext): Record<V1Name, AnyHandler> {
  const { bulkProcess: _, listPrintProfiles: __, ...shared } = sharedHandlers(adapter, deps, closing);
  const { processImage, createBatch, getJob, listEngines, signedFile, downloadImage, ...same } = shared;
  return {
    ...(renameKeys(same) as V1NamedHandlers<typeof same>),
    v1Process: processImage,
    v1Resize: processImage,
    v1CreateBatch: createBatch,
    v1Bulk: createBatch,
    v1GetJob: getJob,
    v1JobStatus: getJob,
    v1Engines: listEngines,
    v1File: signedFile,
    v1JobResult: downloadImage,
    ...v1OnlyHandlers(deps),
    ...imageHandlers(app, deps, closing),
  };
}

const v1OnlyHandlers = (deps: Deps) => {
  const type = 'application/json';
  const makeDocument = () => makeOpenApi(absoluteUrl(deps.config, ''));
  return defineHandlers({
    v1Account: async (request) => {
      const key = requireKey(request);
      const { id, name, kind, monthlyCap, unitsThisMonth, tier } = key;
      const { meters: quota } = await readQuota(deps, { actor: { accountId: key.accountId } });
      return {
        plan: { key: tier, name: planOf(key).name },
        callsPerMinute: await readKeyCalls(deps, key),
        hardStop: planOf(key).hardStop,
        quota,
        key: {
          ...{ id, name, kind, monthlyCap, unitsThisMonth },
          scopes: keyScopes.filter((scope) => key.scopes.includes(scope)),
          expiresAt: key.expiresAt?.toISOString() ?? null,
        },
      };
    },
    v1ListBatches: async (request) => {
      const found = await listBatches(deps, { actor: requireKeyActor(request), ...request.query });
      const data = found.batches.map((batch) => presentV1BatchSummary(deps.config, batch, v1Prefix(request)));
      return { data, nextCursor: found.nextCursor };
    },
    v1AdminStats: async () => getStats(deps, serviceRole),
    v1OpenApi: documentHandler({ type, make: () => JSON.stringify(makeDocument()) }),
    v1Postman: documentHandler({ type, make: () => JSON.stringify(makePostmanCollection(makeDocument())) }),
  });
};

export type V1Name = keyof typeof v1Routes | keyof typeof serviceRoutes;

type V1NamedHandlers<Shared> = { [Name in keyof Shared & string as `v1${Capitalize<Name>}`]: Shared[Name] };

const renameKeys = (shared: object) =>
  Object.fromEntries(
    Object.entries(shared).map(([name, handler]) => [`v1${name.charAt(0).toUpperCase()}${name.slice(1)}`, handler]),
  );
