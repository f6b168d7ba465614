import { AppError } from '@uprez/contracts/errors/app-error';
import type { FastifyRequest } from 'fastify';
import type { App } from '../app-type.ts';
import type { Deps } from '../deps.ts';
import { requireDeclared } from '../http/authenticate.ts';
import { hasBody } from '../http/bodies/open-upload.ts';
import { registerJsonBodies } from '../http/bodies/read-json.ts';
import { makeErrorHandler } from '../http/handle-error.ts';
import { registerMaintenance } from '../http/maintenance.ts';
import { type RequestCounter, registerRateLimits } from '../http/rate-limit.ts';
import { keyCallers, registerKeyAuthorization, registerKeys } from './bearer.ts';
import { registerCors } from './cors.ts';
import { v1Errors } from './errors.ts';

/** `corsHeaders`: request headers that pages of other origins may send besides those of the public API. */
type KeyedOptions = { deps: Deps; countRequest: RequestCounter; corsHeaders?: readonly string[] };

/** Registers what `/v1` and `/mcp` share: CORS, API keys, rate limits, and errors as problem documents. */
export function registerKeyedApi(app: App, { deps, countRequest, corsHeaders = [] }: KeyedOptions): void {
  app.setErrorHandler(makeErrorHandler(v1Errors(deps.config)));
  app.addHook('onRoute', requireDeclared);
  registerCors(app, deps, corsHeaders);
  registerKeys(app, deps);
  registerMaintenance(app, deps);
  registerKeyAuthorization(app, deps);
  registerRateLimits(app, { ...deps, countRequest }, keyCallers(deps));
  app.addHook('onRequest', refuseEncoded);
  registerJsonBodies(app, deps);
}

/** Rejects compressed bodies, so that a small request can't become a large one. */
async function refuseEncoded(request: FastifyRequest): Promise<void> {
  const encoding = request.headers['content-encoding'];
  if (encoding === undefined || encoding === 'identity' || !hasBody(request.raw)) return;
  throw new AppError('unsupported_encoding', { param: 'Content-Encoding', allowed: ['identity'] });
}
