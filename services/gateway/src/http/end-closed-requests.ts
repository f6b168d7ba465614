import type { FastifyInstance } from 'fastify';
import type { Deps } from '../deps.ts';

/**
 * Ends requests whose client reset the connection before they were handled. They have no IP address to count by, and
 * nobody receives the response. Reading the IP address first also keeps it available when the client closes later.
 */
export function endClosedRequests(app: FastifyInstance, { log }: Pick<Deps, 'log'>): void {
  app.addHook('onRequest', async (request, reply) => {
    if (request.socket.remoteAddress !== undefined) return undefined;
    log.debug({ reqId: request.id }, 'client closed the connection');
    reply.hijack();
    request.socket.destroy();
    return reply;
  });
}
