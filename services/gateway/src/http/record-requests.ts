import { normalizeIP } from '@fastify/rate-limit';
import type { RouteName } from '@uprez/contracts/endpoints/routes';
import { errorCodeHeader } from '@uprez/contracts/errors/problem';
import type { AccessKind } from '@uprez/contracts/policy/admin/logs';
import type { AccessEvent } from '@uprez/domain/access/open-access-log';
import { isUuid } from '@uprez/domain/actor';
import { parseTraceparent, runInSpan, type Span, startTrace } from '@uprez/tracing/spans';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import type { Deps } from '../deps.ts';
import { type RouteConfig, routeOf } from './contract.ts';

const spans = new WeakMap<FastifyRequest, Span>();

/**
 * Traces requests to endpoints. If a client sends a `traceparent` header, the request becomes part of the client's
 * trace.
 */
export function registerTraces(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const span = startSpan(request);
    if (span) spans.set(request, span);
    runInSpan(span, done);
  });
  // Reading a body loses the asynchronous context.
  app.addHook('preValidation', (request, _reply, done) => runInSpan(spans.get(request), done));
  app.addHook('onResponse', (request, reply, done) => {
    endSpan(request, reply);
    done();
  });
}

function startSpan(request: FastifyRequest): Span | undefined {
  const route = routeOf(request) && request.routeOptions.url;
  if (!route) return undefined;
  const { traceparent } = request.headers;
  const parent = typeof traceparent === 'string' && parseTraceparent(traceparent) ? traceparent : null;
  const facts = { 'http.request.method': request.method, 'http.route': route, 'uprez.request.id': request.id };
  return startTrace(`${request.method} ${route}`, { parent, kind: 'server', facts });
}

function endSpan(request: FastifyRequest, reply: FastifyReply): void {
  const span = spans.get(request);
  const { userId } = accessFacts(request);
  span?.add({ 'http.response.status_code': reply.statusCode, ...(userId && { 'uprez.account.id': userId }) });
  if (reply.statusCode >= 500) span?.fail(`status_${reply.statusCode}`);
  span?.end();
}

/** Records responses in the access log, after they were sent. */
export function registerAccessLog(app: FastifyInstance, { accessLog, config }: Pick<Deps, 'accessLog' | 'config'>) {
  app.addHook('onResponse', (request, reply, done) => {
    const access = describeAccess(config, request, reply);
    if (access?.isRecorded) accessLog.record(access.event);
    if (access?.event.keyId) accessLog.countKey(access.event);
    done();
  });
}

const signInRoutes: readonly RouteName[] = ['login', 'signInWithPasskey', 'register', 'acceptInvitation'];
const signInErrors = ['bad_credentials', 'bad_passkey', 'account_suspended'];
const wrongProofs = ['bad_credentials', 'bad_passkey', 'bad_two_factor_code'];
/** For a wrong password that was entered to confirm a change. They count as failed sign-ins. */
const proofErrors = ['wrong_password', 'too_many_attempts'];
const resetRoutes: readonly RouteName[] = ['forgotPassword', 'resetPassword'];

type Outcome = { status: number; code: string | undefined; isPolled: boolean };

/** Undefined if the response isn't recorded. */
function kindOf({ name, auth }: RouteConfig, facts: AccessFacts, outcome: Outcome): AccessKind | undefined {
  const { status, code, isPolled } = outcome;
  // Reads of a viewed account are recorded even if they are polled.
  if (facts.staffId) return isPolled && auth === 'admin' ? undefined : 'admin_call';
  if (facts.isLastAttempt && code && wrongProofs.includes(code)) return 'account_locked';
  if (code === 'bad_two_factor_code') return 'two_factor_failed';
  if (signInRoutes.includes(name) && status < 400) return 'sign_in';
  if (signInRoutes.includes(name) && code && signInErrors.includes(code)) return 'sign_in_failed';
  if (code && proofErrors.includes(code)) return 'sign_in_failed';
  // Rejected image URLs aren't recorded. They're requested by visitors to other websites, and signatures can't be
  // guessed, so a rejection isn't a sign of an attack.
  if (name === 'v1Image') return undefined;
  if (status === 403 || status === 429 || code === 'bad_api_key') return 'rejected';
  // Requests with invalid parameters aren't recorded, because they don't reset a password.
  return resetRoutes.includes(name) && (status < 400 || code === 'invalid_token') ? 'password_reset' : undefined;
}

type Params = Record<string, string> | undefined;

/**
 * Returns the route pattern of a request instead of its path, which can contain secrets. For administrator endpoints,
 * the pattern's `:id` is replaced by the ID.
 */
function accessPathOf(request: FastifyRequest, { auth }: RouteConfig): string {
  const pattern = request.routeOptions.url ?? '';
  const id = (request.params as Params)?.id;
  return auth === 'admin' && id && isUuid(id) ? pattern.replace(/:id(?=\/|$)/, id.toLowerCase()) : pattern;
}

/** Returns the account that an administrator's request is about, or null. */
function subjectOf(request: FastifyRequest): string | null {
  const id = (request.params as Params)?.id;
  const isOfUser = /^\/api\/admin\/(?:users|payments\/accounts)\/:id(?:\/|$)/.test(request.routeOptions.url ?? '');
  return isOfUser && id && isUuid(id) ? id : null;
}

type DescribedRequest = { event: AccessEvent; isRecorded: boolean };

/** Returns a request as an access log event, or undefined if it is neither recorded nor counted for an API key. */
function describeAccess(
  config: Pick<Config, 'COUNTRY_HEADER'>,
  request: FastifyRequest,
  reply: FastifyReply,
): DescribedRequest | undefined {
  const route = routeOf(request);
  if (!route) return undefined;
  const facts = accessFacts(request);
  const code = reply.getHeader(errorCodeHeader) as string | undefined;
  const status = reply.statusCode;
  const kind = kindOf(route, facts, { status, code, isPolled: isPolledRead(request, reply) });
  if (!kind && !facts.keyId) return undefined;
  const address = request.ip ?? null;
  const event: AccessEvent = {
    kind: kind ?? 'key_new_network',
    userId: (route.auth === 'admin' && facts.staffId ? subjectOf(request) : facts.userId) ?? null,
    staffId: facts.staffId ?? null,
    keyId: facts.keyId ?? null,
    address,
    network: address && customerNetworkOf(address),
    agent: request.headers['user-agent']?.slice(0, 300) ?? null,
    country: readCountry(config, request),
    method: request.method,
    path: accessPathOf(request, route),
    status,
    requestId: request.id,
    newDevice: facts.isNewDevice ?? false,
  };
  return { event, isRecorded: kind !== undefined };
}

/** /24 for IPv4, /48 for IPv6. One customer usually stays within it. */
function customerNetworkOf(address: string): string {
  const plain = normalizeIP(address, 48);
  return plain.includes(':') ? `${plain}/48` : `${plain.split('.').slice(0, 3).join('.')}.0/24`;
}

/**
 * Returns the ISO 3166 country code from the configured proxy header. Returns null if the header is missing, or if the
 * request didn't come through a trusted proxy, because any client could send the header.
 */
function readCountry(
  { COUNTRY_HEADER }: Pick<Config, 'COUNTRY_HEADER'>,
  { ips = [], headers }: Pick<FastifyRequest, 'ips' | 'headers'>,
): string | null {
  // If a trusted proxy forwarded the request, `ips` contains both the proxy and the client.
  if (COUNTRY_HEADER === '' || ips.length < 2) return null;
  const country = headers[COUNTRY_HEADER];
  // Proxies write XX for an unknown country.
  return typeof country === 'string' && /^[A-Z]{2}$/.test(country) && country !== 'XX' ? country : null;
}

/** Paths that monitoring requests every few seconds. */
const probePaths = new Set(['/healthz', '/readyz']);

/** Logs one line per request. Omits values that clients control: paths, query strings, headers, and IP addresses. */
export function registerRequestLog(app: FastifyInstance, { log }: Pick<Deps, 'log'>): void {
  app.addHook('onResponse', (request, reply, done) => {
    const { userId: accountId, staffId, keyId } = accessFacts(request);
    const span = spans.get(request);
    const route = request.is404 ? undefined : request.routeOptions.url;
    const facts = {
      reqId: request.id,
      method: request.method,
      route,
      status: reply.statusCode,
      durationMs: Math.round(reply.elapsedTime),
      accountId,
      staffId,
      keyId,
      // Undefined fields are omitted from the line.
      aborted: reply.raw.writableFinished ? undefined : true,
      traceId: span?.isSampled ? span.traceId : undefined,
    };
    const isProbe = route !== undefined && probePaths.has(route) && reply.statusCode < 500;
    log[isProbe || isPolledRead(request, reply) ? 'debug' : 'info'](facts, 'request completed');
    done();
  });
}

/** Upper bounds of the buckets, in seconds. A request can wait up to a minute for a job. */
const durationBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/**
 * Measures the duration of each request by method, route pattern, and status class. URLs are never used as labels,
 * because clients control them.
 */
export function registerHttpMetrics(app: FastifyInstance, { metrics }: Pick<Deps, 'metrics'>): void {
  const durations = metrics.histogram({
    name: 'http_request_duration_seconds',
    help: 'Duration of HTTP requests.',
    labels: ['method', 'route', 'status'],
    buckets: durationBuckets,
  });
  app.addHook('onResponse', async (request, reply) => {
    const { url: route = 'none', method = 'none' } = request.is404 ? {} : request.routeOptions;
    const labels = { method: String(method), route, status: `${Math.floor(reply.statusCode / 100)}xx` };
    durations.observe(labels, reply.elapsedTime / 1_000);
  });
}

const polledReads: ReadonlySet<RouteName> = new Set([
  'adminNotices',
  'adminJobOverview',
  'adminListPools',
  'dashboardStats',
  'listApiKeys',
  'getStatus',
]);

function isPolledRead(request: FastifyRequest, { statusCode }: Pick<FastifyReply, 'statusCode'>): boolean {
  const name = routeOf(request)?.name;
  return name !== undefined && polledReads.has(name) && statusCode < 400;
}

type AccessFacts = {
  /** Account of the session or API key, or the account that the submitted password, code, or passkey is for. */
  userId?: string;
  staffId?: string;
  keyId?: string;
  /** Whether a sign-in was the first one on its device. */
  isNewDevice?: boolean;
  /** Whether one more wrong password, code, or passkey locks the account. */
  isLastAttempt?: boolean;
};

const knownFacts = new WeakMap<FastifyRequest, AccessFacts>();

export function noteAccess(request: FastifyRequest, facts: AccessFacts): void {
  const before = knownFacts.get(request);
  if (before) Object.assign(before, facts);
  else knownFacts.set(request, { ...facts });
}

const accessFacts = (request: FastifyRequest): AccessFacts => knownFacts.get(request) ?? {};

/**
 * Returns callbacks for functions that check a password, code, or passkey. The callbacks record the account in the
 * access log.
 */
export const makeAccountCallbacks = (request: FastifyRequest) => ({
  onAccount: (userId: string) => noteAccess(request, { userId }),
  onLastAttempt: () => noteAccess(request, { isLastAttempt: true }),
});
