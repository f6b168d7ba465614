import type { FastifyReply } from 'fastify';
import type { Config } from '../../config.ts';

/** Whether browsers reach us over https. */
export const isHttps = (config: Pick<Config, 'PUBLIC_URL'>) => config.PUBLIC_URL.startsWith('https:');

/** `__Host-` makes browsers insist on Secure and on our host alone; it works over https only. */
export const cookieName = (config: Pick<Config, 'PUBLIC_URL'>) => (isHttps(config) ? '__Host-uprez' : 'uprez');

/** How every cookie of ours is set: out of reach of scripts and of other sites' requests. */
export const cookieOptions = (config: Config) =>
  ({ path: '/', httpOnly: true, sameSite: 'lax', secure: isHttps(config) }) as const;

/** The cookie is a signed token that carries only the session's secret; the session's row decides everything. */
export async function setSessionCookie(reply: FastifyReply, config: Config, secret: string): Promise<void> {
  const token = await reply.jwtSign({ sid: secret });
  reply.setCookie(cookieName(config), token, cookieOptions(config));
}

export function clearSessionCookie(reply: FastifyReply, config: Config): void {
  reply.clearCookie(cookieName(config), cookieOptions(config));
}
