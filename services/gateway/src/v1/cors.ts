import { v1AnswerHeaders, v1RequestHeaders } from '@uprez/contracts/v1/headers';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../deps.ts';

const methods = 'GET, HEAD, POST, PUT, PATCH, DELETE';
const sent = ['Authorization', 'Content-Type', 'Accept', ...Object.keys(v1RequestHeaders)].join(', ');
const exposed = Object.keys(v1AnswerHeaders).join(', ');
/** Seconds for which a browser need not ask again; what it then sends is checked as ever. */
const maxAgeS = 600;

/**
 * Let pages of the origins that administrators have named call the public API, with a key and never with cookies; a
 * change is in force within a second. Other origins are told nothing, so browsers keep the answers from their pages.
 */
export function registerCors(app: FastifyInstance, deps: Pick<Deps, 'settings'>): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.header('vary', 'Origin');
    const { origin } = request.headers;
    if (origin === undefined) return;
    const { allowedOrigins } = await deps.settings.read('security');
    if (allowedOrigins.includes(origin))
      reply.headers({ 'access-control-allow-origin': origin, 'access-control-expose-headers': exposed });
    if (request.method !== 'OPTIONS' || !request.headers['access-control-request-method']) return;
    if (allowedOrigins.includes(origin))
      reply.headers({
        'access-control-allow-methods': methods,
        'access-control-allow-headers': sent,
        'access-control-max-age': maxAgeS,
      });
    return reply.status(204).send();
  });
}
