import { v1AnswerHeaders, v1RequestHeaders } from '@uprez/contracts/v1/headers';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../deps.ts';

const methods = 'GET, HEAD, POST, PUT, PATCH, DELETE';
const sent = ['Authorization', 'Content-Type', 'Accept', ...Object.keys(v1RequestHeaders)].join(', ');
const exposed = Object.keys(v1AnswerHeaders).join(', ');
/** Seconds for which browsers cache a preflight response. */
const maxAgeS = 600;

/**
 * Allows pages of the origins in the security settings to call the public API, without cookies. Changed settings apply
 * within a second. Other origins get no CORS headers. `headers`: request headers besides those of the public API.
 */
export function registerCors(
  app: FastifyInstance,
  deps: Pick<Deps, 'settings'>,
  headers: readonly string[] = [],
): void {
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
        'access-control-allow-headers': [sent, ...headers].join(', '),
        'access-control-max-age': maxAgeS,
      });
    return reply.status(204).send();
  });
}
