import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isLoopbackName } from '../../find-free-port.ts';
import type { Context, RouteOptions } from '../context.ts';
import { makeId } from '../make-id.ts';
import type { Store } from '../state/open-store.ts';
import type { SavedReply } from '../state/tables.ts';
import { catchDecline, DeclinedError, InvalidParamsError, StripeError } from '../stripe-error.ts';
import { atTestClock } from '../time/test-clocks.ts';
import { apiVersion } from '../wire.ts';
import { authorize, findRole, type StripeKeys } from './authorize.ts';
import { isBrowserCall, readBrowserParams, toPublicView } from './browser-calls.ts';
import type { ServedCall } from './define-call.ts';
import { type Failure, type FailureQueue, rateLimitError, serverError } from './failures.ts';

interface ApiOptions extends RouteOptions {
  calls: readonly ServedCall[];
  keys: StripeKeys;
  failures: FailureQueue;
}

type Request = FastifyRequest<{ Params: { id?: string }; Headers: { 'idempotency-key'?: string } }>;

/** Adds Stripe's API calls to a server, with authorization, idempotency, and simulated failures. */
export function registerCalls(app: FastifyInstance, options: ApiOptions): void {
  /** Requests in progress, keyed by idempotency key. */
  const inProgress = new Map<string, string>();
  app.addHook('onRequest', async (request, reply) => {
    reply.headers({ 'request-id': makeId('req'), 'stripe-version': apiVersion });
    if (!isLoopbackName(request.headers.host)) throw misdirectedError();
    if (isBrowserCall({ method: request.method, route: request.routeOptions.url }))
      reply.header('access-control-allow-origin', '*');
    else if (request.url.startsWith('/v1/')) authorize({ headers: request.headers }, options.keys);
  });
  app.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) => {
    const known = error instanceof StripeError ? error : toStripeError(error);
    return reply.code(known.status).send(fullErrorBody(known));
  });
  app.setNotFoundHandler(({ method, url }) => {
    const message = `Unrecognized request URL (${method}: ${pathOf(url)}).`;
    throw new StripeError(404, { type: 'invalid_request_error', message });
  });
  for (const call of options.calls)
    app.route({
      method: call.method,
      url: call.path,
      handler: (request: Request, reply) => respond({ ...options, inProgress, call }, request, reply),
    });
}

type ResponderOptions = ApiOptions & { inProgress: Map<string, string>; call: ServedCall };

async function respond(options: ResponderOptions, request: Request, reply: FastifyReply) {
  const { context, call, failures, inProgress } = options;
  const { method } = request;
  const path = pathOf(request.url);
  const { id = '' } = request.params;
  const input = Object(method === 'POST' ? (request.body ?? {}) : request.query);
  const isPublic = findRole({ headers: request.headers, key: input.key }, options.keys) === 'publishable';
  const params = isPublic ? readBrowserParams(context, { method, route: call.path, id }, input) : input;
  const keyed = readIdempotencyKey({ method, path, params }, request.headers['idempotency-key']);
  if (keyed) {
    const running = inProgress.get(keyed.key);
    if (running) requireSameRequest(keyed, running);
    if (running) throw keyInUseError(keyed.key);
    const saved = findSavedReply(context.store, keyed, context.now());
    if (saved) {
      reply.headers({ 'idempotent-replayed': 'true', 'original-request': saved.requestId });
      return reply.code(saved.status).type('application/json').send(saved.body);
    }
    inProgress.set(keyed.key, keyed.fingerprint);
    // This event is emitted after the reply, or when the client disconnects.
    reply.raw.once('close', () => inProgress.delete(keyed.key));
  }
  const failure = failures.take({ method, path });
  const isLost = failure?.kind === 'hang' || failure?.kind === 'reset';
  if (isLost && failure.when === 'before') return dropReply(reply, failure);
  const answer = executeCall(context, { call, id, params, keyed, failure, isPublic });
  if (keyed) inProgress.delete(keyed.key);
  options.onStored();
  if (isLost) return dropReply(reply, failure);
  return reply.code(answer.status).header('request-id', answer.requestId).type('application/json').send(answer.body);
}

/** The client waits until its timeout, or sees a closed connection after a `reset`. */
function dropReply(reply: FastifyReply, failure: Failure) {
  reply.hijack();
  if (failure.kind === 'reset') reply.raw.destroy();
  return reply;
}

/** Converts Fastify's own errors, such as a body that is too large. */
const toStripeError = ({ statusCode = 500, message }: Error & { statusCode?: number }) =>
  statusCode < 500 ? new StripeError(statusCode, { type: 'invalid_request_error', message }) : serverError(message);

const misdirectedError = () => new StripeError(421, { type: 'invalid_request_error', message: 'Unknown host.' });

const pathOf = (url: string) => url.split('?', 1)[0] ?? '';

interface CallRequest {
  call: ServedCall;
  id: string;
  params: object;
  keyed: KeyedRequest | undefined;
  failure: Failure | undefined;
  /** Whether a browser sent the request with the publishable key. */
  isPublic: boolean;
}

interface CallReply {
  status: number;
  body: string;
  requestId: string;
}

/**
 * Runs a call and returns its reply. Stores the call's changes, its events, and the reply for its idempotency key in
 * one transaction. If the call fails, stores only the error. If a card is declined, the failed charge is kept too.
 */
function executeCall(context: Context, request: CallRequest): CallReply {
  const { call, id, params, keyed, failure, isPublic } = request;
  const errorBody = isPublic ? publicErrorBody : fullErrorBody;
  const requestId = makeId('req');
  const save = (status: number, body: object): CallReply => {
    const reply = { status, body: JSON.stringify(body), requestId };
    if (keyed)
      context.store.put('savedReplies', {
        id: keyed.key,
        fingerprint: keyed.fingerprint,
        created: context.now(),
        ...reply,
      });
    return reply;
  };
  try {
    if (failure?.when === 'before' && failure.kind === 'rate_limit') throw rateLimitError();
    if (failure?.when === 'before' && failure.kind === 'error') throw serverError();
    return context.store.transaction(() => {
      const body = catchDecline(() => call.handle(atTestClock(context, { id, params }), params, id));
      if (body instanceof DeclinedError) return save(body.status, errorBody(body));
      return failure?.when === 'after' && failure.kind === 'error'
        ? save(500, errorBody(serverError()))
        : save(200, isPublic ? toPublicView(body) : body);
    });
  } catch (cause) {
    // Any other error is a bug in the double. Its message is returned to the client.
    const error =
      cause instanceof StripeError ? cause : serverError(cause instanceof Error ? cause.message : 'unknown');
    const isSaved = !(error instanceof InvalidParamsError) && error.status !== 429;
    if (isSaved) return context.store.transaction(() => save(error.status, errorBody(error)));
    return { status: error.status, body: JSON.stringify(errorBody(error)), requestId };
  }
}

const fullErrorBody = ({ body }: StripeError) => ({ error: body });

/** Leaves out the failed intent's fields that browsers can't see. */
const publicErrorBody = ({ body }: StripeError) => ({
  error: Object.fromEntries(
    Object.entries(body).map(([name, value]) => [name, typeof value === 'object' ? toPublicView(value) : value]),
  ),
});

/** Stripe keeps idempotency keys for at least this time. */
const SAVED_REPLY_TTL_SECONDS = 24 * 3600;
const MAX_KEY_LENGTH = 255;

interface KeyedRequest {
  key: string;
  fingerprint: string;
}

/**
 * Returns the idempotency key and fingerprint of a POST request, or undefined if the request has no key. Stripe ignores
 * keys in requests with other methods.
 */
function readIdempotencyKey(
  request: { method: string; path: string; params: unknown },
  key: string | undefined,
): KeyedRequest | undefined {
  if (request.method !== 'POST' || !key) return undefined;
  if (key.length > MAX_KEY_LENGTH)
    throw idempotencyError(400, `Idempotency keys have at most ${MAX_KEY_LENGTH} characters.`);
  const fingerprint = createHash('sha256').update(JSON.stringify(request)).digest('hex');
  return { key, fingerprint };
}

/**
 * Returns the reply to the first request with this key, or undefined if the reply has expired or doesn't exist. Throws
 * if the key was used for a different request.
 */
function findSavedReply(store: Store, keyed: KeyedRequest, now: number): SavedReply | undefined {
  const saved = store.get('savedReplies', keyed.key);
  if (!saved || saved.created < now - SAVED_REPLY_TTL_SECONDS) return undefined;
  requireSameRequest(keyed, saved.fingerprint);
  return saved;
}

function requireSameRequest({ key, fingerprint }: KeyedRequest, first: string): void {
  if (fingerprint === first) return;
  throw idempotencyError(
    400,
    `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
  );
}

const keyInUseError = (key: string) =>
  idempotencyError(
    409,
    `There is currently another in-progress request using this idempotency key: ${key}. Please try again later.`,
    'idempotency_key_in_use',
  );

const idempotencyError = (status: number, message: string, code?: string) =>
  new StripeError(status, { type: 'idempotency_error', message, ...(code && { code }) });
