import { AppError } from '@uprez/contracts/errors/app-error';
import { planOf } from '@uprez/contracts/policy/plans/plan-versions';
import { keyPrefixes, servicePrefix } from '@uprez/contracts/schemas/api-keys';
import { keyPlaceholder, keyVariable } from '@uprez/contracts/texts/site/placeholders';
import { requireAcceptedTerms } from '@uprez/domain/accounts/terms';
import type { Actor } from '@uprez/domain/actor';
import {
  type CallerKey,
  getKeyBySecret,
  getServiceKey,
  makeKeyCounter,
  requireActive,
  requireKeyShape,
  requireScope,
  requireUsableKey,
} from '@uprez/domain/api-keys/callers';
import { isServiceSecret } from '@uprez/domain/api-keys/key-secret';
import { explainLapse } from '@uprez/domain/billing/explain-lapse';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../app-type.ts';
import type { Deps } from '../deps.ts';
import { requireDeclaredAuth } from '../http/authenticate.ts';
import { registerJsonBodies } from '../http/bodies/read-json.ts';
import { hasBody } from '../http/bodies/request-bodies.ts';
import { routeOf } from '../http/contract.ts';
import { makeErrorHandler } from '../http/handle-error.ts';
import { registerMaintenance } from '../http/maintenance.ts';
import {
  addressCounter,
  type RateCallers,
  type RequestCounter,
  readPlanCalls,
  registerRateLimits,
} from '../http/rate-limit.ts';
import { noteAccess } from '../http/record-requests.ts';
import { lookUpSecret } from '../http/request-callers.ts';
import { applyKeyOrigins, registerCors } from './cors.ts';
import { v1Errors } from './errors.ts';
import { isSandboxPath } from './paths.ts';

/**
 * `corsHeaders` are the request headers that pages of other origins may send, in addition to those of the public API.
 */
type KeyedOptions = { deps: Deps; countRequest: RequestCounter; corsHeaders?: readonly string[] };

/** Registers what `/v1` and `/mcp` share: CORS, API keys, rate limits, and errors as problem documents. */
export function registerKeyedApi(app: App, { deps, countRequest, corsHeaders = [] }: KeyedOptions): void {
  app.setErrorHandler(makeErrorHandler(v1Errors(deps.config)));
  app.addHook('onRoute', requireDeclaredAuth);
  registerCors(app, deps, corsHeaders);
  registerKeys(app, deps);
  registerMaintenance(app, deps);
  registerKeyAuthorization(app, deps);
  registerRateLimits(app, { ...deps, countRequest }, keyCallers(deps));
  app.addHook('onRequest', rejectEncodedBody);
  registerJsonBodies(app, deps);
}

/** Rejects compressed bodies, because a small request could decompress to a very large one. */
async function rejectEncodedBody(request: FastifyRequest): Promise<void> {
  const encoding = request.headers['content-encoding'];
  if (encoding === undefined || encoding === 'identity' || !hasBody(request.raw)) return;
  throw new AppError('unsupported_encoding', { param: 'Content-Encoding', allowed: ['identity'] });
}

/** Query parameters in which other APIs accept keys. */
const keyInUrlPattern = /[?&](?:api[_-]?key|access[_-]?token)=/i;

/**
 * Reads the API key from the Authorization header. Rejects keys in URLs, because URLs are stored in logs and browser
 * histories. Throws `bad_api_key`, including for strings that can't be a key.
 */
function readKey({ headers, url }: FastifyRequest): string {
  if (keyInUrlPattern.test(url))
    throw new AppError('bad_api_key', {
      detail: 'Unauthorized: send your API key in the "Authorization: Bearer" header, not in the URL.',
    });
  const match = /^Bearer(?: +([^\s]+))?$/i.exec(headers.authorization ?? '');
  if (!match)
    throw new AppError('bad_api_key', {
      detail: 'Unauthorized: send your API key in the "Authorization: Bearer" header.',
    });
  const [, secret = ''] = match;
  requireOwnKey(secret);
  requireKeyShape(secret);
  return secret;
}

const known = new WeakMap<FastifyRequest, CallerKey>();
const keyIds = new WeakMap<FastifyRequest, string>();

/** Returns the account key of an authorized request, or undefined for a service key. */
export const findKey = (request: FastifyRequest): CallerKey | undefined => known.get(request);

/** Returns the account key of an authorized request. Throws `bad_api_key` without an account key. */
export function requireKey(request: FastifyRequest): CallerKey {
  const key = known.get(request);
  if (!key) throw new AppError('bad_api_key');
  return key;
}

/** Returns the account that owns the key as an actor. Throws `bad_api_key` without an account key. */
export function requireKeyActor(request: FastifyRequest): Actor {
  const { id, accountId, kind, ...account } = requireKey(request);
  return { accountId, plan: planOf(account), key: { id, isSandbox: kind === 'test' || isSandboxPath(request) } };
}

function needsKey(request: FastifyRequest): boolean {
  const auth = routeOf(request)?.auth;
  return auth === 'key' || auth === 'service';
}

/**
 * Rejects strings that can't be a key without reading the database. Counts all requests with a known key, including
 * those that are rejected later.
 */
function registerKeys(app: FastifyInstance, deps: Pick<Deps, 'db' | 'log'>): void {
  const counter = makeKeyCounter(deps);
  app.addHook('onRequest', async (request) => {
    if (needsKey(request)) readKey(request);
  });
  const counted = new WeakSet<FastifyRequest>();
  const count = async (request: FastifyRequest, reply: FastifyReply) => {
    const keyId = keyIds.get(request);
    if (!keyId || counted.has(request)) return;
    counted.add(request);
    await counter.count({ keyId, isError: reply.statusCode >= 400, address: request.ip });
  };
  app.addHook('onSend', count);
  // Event streams don't trigger `onSend`.
  app.addHook('onResponse', count);
  app.addHook('onClose', () => counter.flush());
}

type KeyDeps = Pick<Deps, 'db' | 'terms' | 'settings'>;
type Exchange = { request: FastifyRequest; reply: FastifyReply };

/**
 * Account keys can't have the scopes of service endpoints, and vice versa. Throws the errors of `requireUsableKey`, and
 * `terms_not_accepted`.
 */
function registerKeyAuthorization(app: FastifyInstance, deps: KeyDeps): void {
  app.addHook('onRequest', async (request, reply) => {
    if (!needsKey(request)) return;
    const secret = readKey(request);
    if (isServiceSecret(secret)) await authorizeService({ request, reply }, deps, secret);
    else await authorizeAccount({ request, reply }, deps, secret);
  });
}

/**
 * Reads the key of a request again and checks that it still permits the request. Throws `bad_api_key`, and the errors
 * of `requireUsableKey`.
 */
export async function confirmKey(deps: Pick<Deps, 'db'>, request: FastifyRequest): Promise<void> {
  const key = await findCallerKey(deps, request, readKey(request));
  requireUsableKey(key, { scope: routeOf(request)?.scope, address: request.ip });
}

const findCallerKey = (deps: Pick<Deps, 'db'>, request: FastifyRequest, secret: string): Promise<CallerKey> =>
  lookUpSecret(request, {
    sort: 'key',
    secret,
    find: () => getKeyBySecret(deps, secret),
    callerOf: ({ accountId }) => `account:${accountId}`,
  });

async function authorizeAccount({ request, reply }: Exchange, deps: KeyDeps, secret: string): Promise<void> {
  const key = await findCallerKey(deps, request, secret);
  known.set(request, key);
  keyIds.set(request, key.id);
  await applyKeyOrigins(deps, { request, reply }, () => key.allowedOrigins);
  noteAccess(request, { userId: key.accountId, keyId: key.id });
  try {
    requireUsableKey(key, { scope: routeOf(request)?.scope, address: request.ip });
  } catch (error) {
    throw await explainLapse(deps, error, key.accountId);
  }
  if (routeOf(request)?.processes) await requireAcceptedTerms(deps.terms, key);
}

async function authorizeService({ request, reply }: Exchange, deps: KeyDeps, secret: string): Promise<void> {
  const find = () => getServiceKey(deps, secret);
  const key = await lookUpSecret(request, { sort: 'key', secret, find, callerOf: ({ id }) => `service:${id}` });
  requireActive(key);
  keyIds.set(request, key.id);
  await applyKeyOrigins(deps, { request, reply }, () => []);
  noteAccess(request, { keyId: key.id });
  requireScope(key, routeOf(request)?.scope);
}

const preview = new RegExp(`^(${[...Object.values(keyPrefixes), servicePrefix].join('|')})\\w{4}\\.{3}\\w{4}$`);

function describeMistake(text: string): string | undefined {
  if (text === '') return 'the API key is empty.';
  if (text === keyPlaceholder || text === keyVariable) return `replace ${text} with your API key.`;
  if (preview.test(text)) return 'this is the preview of an API key. Send the full key.';
  return undefined;
}

/** Throws `bad_api_key` for an empty key, the placeholder from the examples, or the preview of a key. */
function requireOwnKey(text: string): void {
  const mistake = describeMistake(text);
  if (mistake === undefined) return;
  throw new AppError('bad_api_key', {
    detail: `Unauthorized: ${mistake}`,
    hint: 'Create a key on the "API Keys" page. Every account includes a free sandbox key.',
  });
}

type CallerDeps = Pick<Deps, 'settings'>;

/**
 * Counts most `/v1` requests by key. Counts processing requests, uploads, and archives by account, because additional
 * keys mustn't raise these limits. Counts requests without a key by IP address.
 */
const keyCallers = (deps: CallerDeps): RateCallers => ({
  headerFamilies: ['ratelimit', 'x-ratelimit'],
  counterOf: async (request, rateClass) => {
    const keyId = keyIds.get(request);
    if (keyId === undefined) return addressCounter(request, rateClass);
    // Service keys have neither an account nor a plan.
    if (!findKey(request)) return `${rateClass}:key:${keyId}`;
    const { accountId, key } = requireKeyActor(request);
    if (!['processing', 'uploads', 'archives'].includes(rateClass)) return `${rateClass}:key:${key?.id}`;
    return `${rateClass}:${key?.isSandbox ? 'sandbox' : 'account'}:${accountId}`;
  },
  planCallsOf: (request) => readPlanCalls(deps, planOf(requireKey(request))),
  ownLimit: {
    counterOf: (request) => {
      const key = findKey(request);
      return key && key.callsPerMinute !== null ? `own:key:${key.id}` : undefined;
    },
    callsOf: (request) => readKeyCalls(deps, requireKey(request)),
  },
});

/**
 * Returns the limit on processing requests per minute for a key: the lower of the plan's limit and the owner's limit.
 */
export async function readKeyCalls(
  deps: CallerDeps,
  { callsPerMinute: own, ...account }: Pick<CallerKey, 'tier' | 'planVersion' | 'callsPerMinute'>,
): Promise<number> {
  return Math.min(await readPlanCalls(deps, planOf(account)), own ?? Number.POSITIVE_INFINITY);
}
