import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isLoopbackName } from '../../is-loopback-name.ts';
import { apiVersion } from '../api-version.ts';
import type { Context } from '../context.ts';
import { makeId } from '../make-id.ts';
import { StripeError } from '../stripe-error.ts';
import { answerCall, fullErrorBody } from './answer-call.ts';
import { authorize, findRole, type StripeKeys } from './authorize.ts';
import { isBrowserCall, readBrowserParams } from './browser-calls.ts';
import type { ServedCall } from './define-call.ts';
import { type Failure, type Failures, serverError } from './failures.ts';
import { findSavedReply, keyInUse, readIdempotencyKey, requireSameRequest } from './saved-replies.ts';

interface ApiOptions {
  context: Context;
  calls: readonly ServedCall[];
  keys: StripeKeys;
  failures: Failures;
  /** Called after each call, when its events are stored. */
  onStored(): void;
}

type Request = FastifyRequest<{ Params: { id?: string }; Headers: { 'idempotency-key'?: string } }>;

/** Adds the calls of Stripe's API to a server, with authorization, idempotency, and failures. */
export function registerCalls(app: FastifyInstance, options: ApiOptions): void {
  /** Fingerprints of the requests in progress, by key. */
  const inProgress = new Map<string, string>();
  app.addHook('onRequest', async (request, reply) => {
    reply.headers({ 'request-id': makeId('req'), 'stripe-version': apiVersion });
    if (!isLoopbackName(request.headers.host)) throw misdirected();
    if (isBrowserCall({ method: request.method, route: request.routeOptions.url }))
      reply.header('access-control-allow-origin', '*');
    else if (request.url.startsWith('/v1/')) authorize({ headers: request.headers }, options.keys);
  });
  app.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) => {
    const known = error instanceof StripeError ? error : asStripeError(error);
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

type Responder = ApiOptions & { inProgress: Map<string, string>; call: ServedCall };

async function respond(options: Responder, request: Request, reply: FastifyReply) {
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
    if (running) throw keyInUse(keyed.key);
    const saved = findSavedReply(context.store, keyed, context.now());
    if (saved) {
      reply.headers({ 'idempotent-replayed': 'true', 'original-request': saved.requestId });
      return reply.code(saved.status).type('application/json').send(saved.body);
    }
    inProgress.set(keyed.key, keyed.fingerprint);
    // After the reply, or when the client disconnects.
    reply.raw.once('close', () => inProgress.delete(keyed.key));
  }
  const failure = failures.take({ method, path });
  const isLost = failure?.kind === 'hang' || failure?.kind === 'reset';
  if (isLost && failure.when === 'before') return loseReply(reply, failure);
  const answer = answerCall(context, { call, id, params, keyed, failure, isPublic });
  if (keyed) inProgress.delete(keyed.key);
  options.onStored();
  if (isLost) return loseReply(reply, failure);
  return reply.code(answer.status).header('request-id', answer.requestId).type('application/json').send(answer.body);
}

/** Leaves a request without a reply: the client waits until its timeout, or sees a closed connection. */
function loseReply(reply: FastifyReply, failure: Failure) {
  reply.hijack();
  if (failure.kind === 'reset') reply.raw.destroy();
  return reply;
}

/** Fastify's own errors, such as a body that is too large. */
const asStripeError = ({ statusCode = 500, message }: Error & { statusCode?: number }) =>
  statusCode < 500 ? new StripeError(statusCode, { type: 'invalid_request_error', message }) : serverError(message);

const misdirected = () => new StripeError(421, { type: 'invalid_request_error', message: 'Unknown host.' });

const pathOf = (url: string) => url.split('?', 1)[0] ?? '';
