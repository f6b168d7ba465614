import type { App } from '../app-type.ts';
import type { Deps } from '../deps.ts';
import { bindDialect } from '../features/dialect.ts';
import { registerSharedRoutes } from '../features/register-routes.ts';
import { describeMissingRoute } from '../http/find-methods.ts';
import type { RequestCounter } from '../http/rate-limit.ts';
import { registerCredits } from './credits.ts';
import { refuseUnknownQuery } from './refuse-unknown-query.ts';
import { registerKeyedApi } from './register-keyed-api.ts';
import { camelKeys, toV1Body } from './snake-case.ts';
import { v1Dialect } from './v1-dialect.ts';
import { registerV1OnlyRoutes } from './v1-routes.ts';

type Options = { deps: Deps; countRequest: RequestCounter; closing: AbortSignal };

/**
 * The public API, mounted at `/v1`: API keys, names in snake_case, errors as problem documents. It serves the same
 * handlers as `/api`; request bodies are renamed to camelCase before validation, responses to snake_case after the
 * handler. `closing` aborts waits and streams when the gateway stops.
 */
export async function v1Plugin(app: App, { deps, countRequest, closing }: Options): Promise<void> {
  registerKeyedApi(app, { deps, countRequest });
  app.setNotFoundHandler((request, reply) => {
    throw describeMissingRoute(request, reply);
  });
  registerCredits(app, deps);
  app.addHook('preValidation', async (request) => {
    refuseUnknownQuery(request);
    request.body = camelKeys(request.body);
  });
  app.addHook('preSerialization', async (_request, _reply, payload) => toV1Body(payload));
  registerV1Routes(app, deps, closing);
}

/** Registers the routes of `/v1`, without the hooks that serve them. */
export function registerV1Routes(app: App, deps: Deps, closing: AbortSignal): void {
  registerSharedRoutes(bindDialect(v1Dialect(deps), app), deps, closing);
  registerV1OnlyRoutes(app, deps, closing);
}
