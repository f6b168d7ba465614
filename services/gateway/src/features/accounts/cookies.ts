import { limits } from '@uprez/contracts/policy/limits';
import type { Device } from '@uprez/domain/accounts/sessions';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../../config.ts';
import { routeOf } from '../../http/contract.ts';

type UrlConfig = Pick<Config, 'PUBLIC_URL'>;

const isHttps = ({ PUBLIC_URL }: UrlConfig) => PUBLIC_URL.startsWith('https:');
/**
 * Adds the `__Host-` prefix only over https, because browsers reject cookies with this prefix unless they are Secure
 * and have no Domain.
 */
const withHostPrefix = (config: UrlConfig, name: string) => (isHttps(config) ? `__Host-${name}` : name);
export const cookieName = (config: UrlConfig) => withHostPrefix(config, 'uprez');
const deviceCookieName = (config: UrlConfig) => withHostPrefix(config, 'uprez-device');

const cookieOptions = (config: UrlConfig) =>
  ({ path: '/', httpOnly: true, sameSite: 'lax', secure: isHttps(config) }) as const;

/** Sets the session cookie: a signed token that contains only the session's secret. */
export async function setSessionCookie(reply: FastifyReply, config: UrlConfig, secret: string): Promise<void> {
  const token = await reply.jwtSign({ sid: secret });
  reply.setCookie(cookieName(config), token, cookieOptions(config));
}

export function clearSessionCookie(reply: FastifyReply, config: UrlConfig): void {
  reply.clearCookie(cookieName(config), cookieOptions(config));
}

/** Format of the device secrets that we issue: 256 bits in base64url. */
const deviceSecretPattern = /^[\w-]{43}$/;

/** Returns the device that a request came from. Ignores a malformed device secret. */
export function readDevice(request: FastifyRequest, config: UrlConfig): Device {
  const secret = request.cookies[deviceCookieName(config)];
  return {
    userAgent: request.headers['user-agent'],
    address: request.ip,
    secret: secret !== undefined && deviceSecretPattern.test(secret) ? secret : undefined,
  };
}

/** Sets the device cookie. It outlives sessions, which is safe because it doesn't sign anyone in. */
export function setDeviceCookie(reply: FastifyReply, config: UrlConfig, secret: string): void {
  reply.setCookie(deviceCookieName(config), secret, { ...cookieOptions(config), maxAge: limits.deviceDays * 86_400 });
}

type SessionConfig = Pick<Config, 'PUBLIC_URL' | 'SESSION_SECRET'>;

/**
 * Accepts session cookies that were signed with the second SESSION_SECRET, and replaces them with cookies signed with
 * the first. Once all sessions have been used, the second secret can be removed without signing anyone out.
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
    // Sets the cookie only on personal responses, because shared caches may store the others.
    if (isPersonal(request)) await setSessionCookie(reply, config, secret);
  });
}

/**
 * Returns the session secret in a token. Undefined if the token wasn't signed with `key`, which defaults to the
 * application's key.
 */
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
