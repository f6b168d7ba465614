import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Config } from '../../config.ts';
import { routeOf } from '../../http/contract.ts';
import { cookieName, setSessionCookie } from './cookies.ts';

type SessionConfig = Pick<Config, 'PUBLIC_URL' | 'SESSION_SECRET'>;

/**
 * Accepts session cookies that the second SESSION_SECRET signed, and replaces them with ones of the first. Once every
 * session was used, the second secret can be removed without signing anyone out.
 */
export function registerFormerSessions(app: FastifyInstance, config: SessionConfig): void {
  const [, former] = config.SESSION_SECRET;
  if (former === undefined) return;
  const name = cookieName(config);
  app.addHook('onRequest', async (request, reply) => {
    const token = request.cookies[name];
    if (token === undefined || readSecret(app, token)) return;
    const secret = readSecret(app, token, former);
    if (secret === undefined) return;
    request.cookies[name] = app.jwt.sign({ sid: secret });
    // Shared caches may keep other responses.
    if (isPersonal(request)) await setSessionCookie(reply, config, secret);
  });
}

/** The secret of the session in a token; undefined if the key, else that of the application, didn't sign it. */
function readSecret(app: FastifyInstance, token: string, key?: string): string | undefined {
  try {
    const { sid } = app.jwt.verify<{ sid?: unknown }>(token, key === undefined ? {} : { key });
    return typeof sid === 'string' ? sid : undefined;
  } catch {
    return undefined;
  }
}

function isPersonal(request: FastifyRequest): boolean {
  const auth = routeOf(request)?.auth;
  return auth === 'session' || auth === 'admin';
}
