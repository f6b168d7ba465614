import { limits } from '@uprez/contracts/policy/limits';
import type { Device } from '@uprez/domain/accounts/open-account';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../../config.ts';
import { cookieOptions, isHttps } from './session-cookie.ts';

const deviceCookieName = (config: Config) => (isHttps(config) ? '__Host-uprez-device' : 'uprez-device');

/** 256 bits, as we make them; anything else in the cookie is not ours. */
const secretPattern = /^[\w-]{43}$/;

/** What a request says of the browser it comes from. */
export function readDevice(request: FastifyRequest, config: Config): Device {
  const secret = request.cookies[deviceCookieName(config)];
  return {
    userAgent: request.headers['user-agent'],
    address: request.ip,
    secret: secret !== undefined && secretPattern.test(secret) ? secret : undefined,
  };
}

/** It says only which device this is and signs nobody in, so it outlives the sessions. */
export function setDeviceCookie(reply: FastifyReply, config: Config, secret: string): void {
  reply.setCookie(deviceCookieName(config), secret, { ...cookieOptions(config), maxAge: limits.deviceDays * 86_400 });
}
