import { v1RequestHeaders, v1ResponseHeaders } from '@uprez/contracts/v1/headers';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';

type CorsDeps = Pick<Deps, 'settings' | 'keyOrigins'>;

const methods = 'GET, HEAD, POST, PUT, PATCH, DELETE';
const allowedHeaders = ['Authorization', 'Content-Type', 'Accept', ...Object.keys(v1RequestHeaders)].join(', ');
const exposedHeaders = Object.keys(v1ResponseHeaders).join(', ');
/** How long browsers cache a preflight response, in seconds. */
const maxAgeS = 600;

/**
 * Whether the security settings allow an origin for all API keys. Changes to the settings take effect within a second.
 */
async function isSiteOrigin({ settings }: Pick<Deps, 'settings'>, origin: string): Promise<boolean> {
  return (await settings.read('security')).allowedOrigins.includes(origin);
}

/** Whether the security settings or any active API key allow an origin. */
export const isListedOrigin = async (deps: CorsDeps, origin: string): Promise<boolean> =>
  (await isSiteOrigin(deps, origin)) || deps.keyOrigins.includes(origin);

/**
 * Allows pages of listed origins to call the public API, without cookies. Other origins get no CORS headers. A
 * preflight request carries no API key, so the origins of all keys are allowed until `applyKeyOrigins` checks the
 * request's key. `headers`: request headers in addition to those of the public API.
 */
export function registerCors(app: FastifyInstance, deps: CorsDeps, headers: readonly string[] = []): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.header('vary', 'Origin');
    const { origin } = request.headers;
    if (origin === undefined) return;
    const isAllowed = await isListedOrigin(deps, origin);
    if (isAllowed) allowOrigin(reply, origin);
    if (request.method !== 'OPTIONS' || !request.headers['access-control-request-method']) return;
    if (isAllowed)
      reply.headers({
        'access-control-allow-methods': methods,
        'access-control-allow-headers': [allowedHeaders, ...headers].join(', '),
        'access-control-max-age': maxAgeS,
      });
    return reply.status(204).send();
  });
}

/**
 * Removes the CORS headers unless the security settings or the key allow the origin. `readOrigins` returns the key's
 * allowed origins.
 */
export async function applyKeyOrigins(
  deps: Pick<Deps, 'settings'>,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  readOrigins: () => readonly string[] | Promise<readonly string[]>,
): Promise<void> {
  const { origin } = request.headers;
  if (origin === undefined || (await isSiteOrigin(deps, origin))) return;
  if ((await readOrigins()).includes(origin)) allowOrigin(reply, origin);
  else reply.removeHeader('access-control-allow-origin').removeHeader('access-control-expose-headers');
}

const allowOrigin = (reply: FastifyReply, origin: string) =>
  reply.headers({ 'access-control-allow-origin': origin, 'access-control-expose-headers': exposedHeaders });
