import fastifyCookie from '@fastify/cookie';
import fastifyJwt from '@fastify/jwt';
import fastifyMultipart from '@fastify/multipart';
import { fastifySSE } from '@fastify/sse';
import { routes } from '@uprez/contracts/endpoints/routes';
import { limits } from '@uprez/contracts/policy/limits';
import Fastify, { type FastifyBaseLogger, LogController } from 'fastify';
import { serializerCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod';
import type { App } from './app-type.ts';
import type { Deps } from './deps.ts';
import { cookieName, registerFormerSessions } from './features/accounts/cookies.ts';
import { registerRoutes } from './features/register-routes.ts';
import { registerExportAudits, registerRejectedWriteAudits } from './http/audit-requests.ts';
import { makeOriginGuard, registerAuthorization } from './http/authenticate.ts';
import { registerJsonBodies } from './http/bodies/read-json.ts';
import { closingSignal, openGuardedServer, rejectDisconnected } from './http/connections.ts';
import { apiErrors, makeErrorHandler } from './http/handle-error.ts';
import { registerMaintenance } from './http/maintenance.ts';
import { apiCallers, openRequestCounter, type RequestCounter, registerRateLimits } from './http/rate-limit.ts';
import { registerReadTurns } from './http/read-turns.ts';
import { registerAccessLog, registerHttpMetrics, registerRequestLog, registerTraces } from './http/record-requests.ts';
import {
  makeBadUrlHandler,
  makeBytesRejection,
  registerEarlyResponses,
  registerLocalRequests,
  registerRequestChecks,
} from './http/register-rejections.ts';
import { registerCompression, registerSecurityHeaders } from './http/register-responses.ts';
import { registerWeb } from './http/register-web.ts';
import { registerCallers } from './http/request-callers.ts';
import { validatorCompiler } from './http/validate.ts';
import { registerReadOnlyViews, registerViews } from './http/views.ts';
import { mcpPlugin } from './mcp/mcp-plugin.ts';
import { pickErrorHandler, rawPresenter } from './v1/errors.ts';
import { rewriteUrl } from './v1/paths.ts';
import { v1Plugin } from './v1/v1-plugin.ts';

const formLimits = {
  fileSize: limits.uploadBytes,
  files: 2,
  fields: limits.formFields,
  parts: limits.formFields + 4,
  fieldSize: limits.formFieldBytes,
  fieldNameSize: 200,
  headerPairs: 50,
};

/** Builds the HTTP application. Plugins are registered in the order in which they handle requests. */
export async function buildApp(deps: Deps): Promise<App> {
  const { config } = deps;
  const app = Fastify({
    loggerInstance: deps.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: config.TRUST_PROXY || false,
    bodyLimit: limits.bodyBytes,
    serverFactory: (handle) =>
      openGuardedServer(handle, {
        maxConnections: config.MAX_CONNECTIONS,
        maxPerAddress: config.TRUST_PROXY ? undefined : config.MAX_CONNECTIONS_PER_ADDRESS,
        headersMs: limits.headerSeconds * 1_000,
        metrics: deps.metrics,
      }),
    forceCloseConnections: 'idle',
    genReqId: () => crypto.randomUUID(),
    // Handles requests that clients sent before they noticed the shutdown, and then closes their connections.
    return503OnClosing: false,
    // Download URLs end in a percent-encoded file name: up to 12 characters per code point.
    routerOptions: { maxParamLength: limits.filenameLength * 12 + 100 },
    rewriteUrl,
    frameworkErrors: makeBadUrlHandler(pickErrorHandler(config)),
    clientErrorHandler: makeBytesRejection(rawPresenter(config)),
  }).withTypeProvider<ZodTypeProvider>();
  app.setValidatorCompiler(validatorCompiler).setSerializerCompiler(serializerCompiler);
  app.setErrorHandler(makeErrorHandler(apiErrors));
  registerLocalRequests(app);
  rejectDisconnected(app);
  registerCallers(app, config);
  registerTraces(app);
  await registerSecurityHeaders(app, config);
  await registerCompression(app);
  await app.register(fastifyCookie);
  await app.register(fastifyJwt, {
    secret: config.SESSION_SECRET[0],
    sign: { algorithm: 'HS256', noTimestamp: true },
    verify: { algorithms: ['HS256'] },
    cookie: { cookieName: cookieName(config), signed: false },
  });
  registerFormerSessions(app, config);
  await app.register(fastifyMultipart, { limits: formLimits, throwFileSizeLimit: false });
  await app.register(fastifySSE, { heartbeatInterval: 15_000 });
  const closing = closingSignal(app);
  registerHttpMetrics(app, deps);
  registerAccessLog(app, deps);
  registerRequestLog(app, deps);
  registerRequestChecks(app);
  registerEarlyResponses(app);
  await registerApis(app, deps, closing);
  return app;
}

async function registerApis(app: App, deps: Deps, closing: AbortSignal): Promise<void> {
  registerReadTurns(app, deps.readTurns);
  const options = { deps, countRequest: await openRequestCounter(app, deps), closing };
  // biome-ignore lint/nursery/noMisusedPromises: Fastify awaits plugins that return a promise.
  await app.register(v1Plugin, { prefix: '/v1', ...options });
  // biome-ignore lint/nursery/noMisusedPromises: as above.
  await app.register(mcpPlugin, { prefix: routes.mcp.path, ...options });
  // biome-ignore lint/nursery/noMisusedPromises: as above.
  await app.register(apiPlugin, options);
}

type ApiOptions = { deps: Deps; countRequest: RequestCounter; closing: AbortSignal };

async function apiPlugin(app: App, { deps, countRequest, closing }: ApiOptions): Promise<void> {
  app.addHook('onRequest', makeOriginGuard(deps.config));
  registerViews(app, deps);
  registerMaintenance(app, deps);
  registerRejectedWriteAudits(app, deps);
  registerExportAudits(app, deps);
  // Rate limits come before the hooks that reject administrators' writes, because each rejection adds a row to the
  // audit log.
  registerRateLimits(app, { ...deps, countRequest }, apiCallers(deps));
  registerReadOnlyViews(app);
  registerAuthorization(app, deps);
  registerJsonBodies(app, deps);
  registerRoutes(app, deps, closing);
  await registerWeb(app, deps);
}
