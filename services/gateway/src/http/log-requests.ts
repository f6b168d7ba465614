import type { FastifyInstance } from 'fastify';
import type { Deps } from '../deps.ts';
import { accessFacts } from './access/note-access.ts';
import { isPolledRead } from './polled-reads.ts';
import { spanOf } from './trace-requests.ts';

/** Requested every few seconds by whatever watches the service. */
const probes = new Set(['/healthz', '/readyz']);

/** Logs one line per request, without anything that its client chose: no path, query, header, or address. */
export function registerRequestLog(app: FastifyInstance, { log }: Pick<Deps, 'log'>): void {
  app.addHook('onResponse', (request, reply, done) => {
    const { userId: accountId, staffId, keyId } = accessFacts(request);
    const span = spanOf(request);
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
      // Fields without a value are left out of the line.
      aborted: reply.raw.writableFinished ? undefined : true,
      traceId: span?.isSampled ? span.traceId : undefined,
    };
    const isProbe = route !== undefined && probes.has(route) && reply.statusCode < 500;
    log[isProbe || isPolledRead(request, reply) ? 'debug' : 'info'](facts, 'request completed');
    done();
  });
}
