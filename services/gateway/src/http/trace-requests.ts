import { parseTraceparent } from '@uprez/tracing/parse-traceparent';
import { runInSpan, type Span, startTrace } from '@uprez/tracing/spans';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { accessFacts } from './access/note-access.ts';
import { routeOf } from './contract.ts';

const spans = new WeakMap<FastifyRequest, Span>();

/** The span of a request, if it is traced. */
export const spanOf = (request: FastifyRequest): Span | undefined => spans.get(request);

/** Traces requests to endpoints. The header `traceparent` of a client makes them part of its trace. */
export function registerTraces(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const span = startSpan(request);
    if (span) spans.set(request, span);
    runInSpan(span, done);
  });
  // Reading a body leaves the context.
  app.addHook('preValidation', (request, _reply, done) => runInSpan(spanOf(request), done));
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
  const span = spanOf(request);
  const { userId } = accessFacts(request);
  span?.add({ 'http.response.status_code': reply.statusCode, ...(userId && { 'uprez.account.id': userId }) });
  if (reply.statusCode >= 500) span?.fail(`status_${reply.statusCode}`);
  span?.end();
}
