import { makeOpenApi } from '@uprez/contracts/docs/openapi/make-open-api';
import { makePostman } from '@uprez/contracts/docs/openapi/make-postman';
import type { Role } from '@uprez/contracts/policy/permissions';
import { planOf } from '@uprez/contracts/policy/plan-versions';
import { keyScopes } from '@uprez/contracts/schemas/api-keys';
import { getStats } from '@uprez/domain/admin/list-users';
import { listBatches } from '@uprez/domain/batches/get-batch';
import { readQuota } from '@uprez/domain/usage/read-quota';
import type { FastifyReply } from 'fastify';
import type { App } from '../app-type.ts';
import type { Deps } from '../deps.ts';
import { serveDocument } from '../features/site/serve-document.ts';
import { absoluteUrl } from '../http/public-links.ts';
import { requireKey, requireKeyActor } from './bearer.ts';
import { registerImageRoute } from './image-route.ts';
import { readKeyCalls } from './key-callers.ts';
import { v1Prefix } from './paths.ts';
import { presentV1BatchSummary } from './presenters.ts';
import { v1Contract } from './v1-contract.ts';

/** Service keys with the scope `admin:read` read what administrators with this role read. */
const serviceRole: Role = 'viewer';

/** The endpoints that only `/v1` has: the account of a key, the list of batches, image URLs, the API documents, and those of service keys. */
export function registerV1OnlyRoutes(app: App, deps: Deps, closing: AbortSignal): void {
  registerImageRoute(app, deps, closing);
  app.route({
    ...v1Contract('v1Account'),
    handler: async (request, reply) => {
      const key = requireKey(request);
      const { id, name, kind, monthlyCap, unitsThisMonth, tier } = key;
      const { meters: quota } = await readQuota(deps, { actor: { accountId: key.accountId } });
      const account = {
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
      return (reply as FastifyReply).status(200).send(account);
    },
  });
  app.route({
    ...v1Contract('v1ListBatches'),
    handler: async (request, reply) => {
      const found = await listBatches(deps, { actor: requireKeyActor(request), ...request.query });
      const data = found.batches.map((batch) => presentV1BatchSummary(deps.config, batch, v1Prefix(request)));
      return (reply as FastifyReply).status(200).send({ data, nextCursor: found.nextCursor });
    },
  });
  app.route({
    ...v1Contract('v1AdminStats'),
    handler: async (_request, reply) => (reply as FastifyReply).status(200).send(await getStats(deps, serviceRole)),
  });
  const makeDocument = () => makeOpenApi(absoluteUrl(deps.config, ''));
  const type = 'application/json';
  serveDocument(app, v1Contract('v1OpenApi'), { type, make: () => JSON.stringify(makeDocument()) });
  serveDocument(app, v1Contract('v1Postman'), { type, make: () => JSON.stringify(makePostman(makeDocument())) });
}
