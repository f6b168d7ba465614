import type { IncomingMessage } from 'node:http';
import { sandbox } from '@uprez/contracts/policy/sandbox';
import type { FastifyRequest } from 'fastify';

const publicApiPattern = /^\/v1(?:\/|\?|$)/;
const sandboxPathPattern = new RegExp(`^${sandbox.prefix}(?=/|\\?|$)`);
const sandboxRequests = new WeakSet<object>();

/** Whether a URL is under `/v1`, including unknown routes. */
export const isV1 = (request: Pick<FastifyRequest, 'url'>): boolean => publicApiPattern.test(request.url);

/** Whether a request was sent to a URL of the sandbox. */
export const isSandboxPath = (request: Pick<FastifyRequest, 'raw'>): boolean => sandboxRequests.has(request.raw);

/** Returns the path prefix under which the caller uses the public API. */
export const v1Prefix = (request: Pick<FastifyRequest, 'raw'>): string =>
  isSandboxPath(request) ? sandbox.prefix : '/v1';

/** A percent-encoded letter or digit, which is equivalent to the character itself (RFC 3986, 6.2.2.2). */
const escapedPattern = /%(?:3[0-9]|[46][1-9a-f]|[57][0-9a])/gi;

/** Decodes letters and digits, so that hooks see the same URL as the router. */
const decodeAlphanumerics = (url: string): string =>
  url.replace(/^[^?#]*/, (path) => path.replace(escapedPattern, (text) => decodeURIComponent(text)));

/** Paths of the APIs, which describe errors in URLs themselves. */
const apiPathPattern = /^\/(api|v1)(\/|\?|$)/;

/**
 * Escapes a path that can't be decoded. The router would reject it with plain text instead of the page that visitors
 * expect.
 */
const escapeInvalid = (url: string): string =>
  url.replace(/^[^?#]*/, (path) => (isDecodable(path) ? path : path.replaceAll('%', '%25')));

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

/** Removes the slash that some clients add to the end of a path. Routes have none. */
const trimSlash = (url: string): string => url.replace(/^(\/(?:api|v1|mcp)(?:\/[^/?#]+)*)\/(?=[?#]|$)/, '$1');

/**
 * Maps `/api/v1` and the sandbox to the routes of `/v1`, removes slashes from the end of API paths, and maps malformed
 * URLs of pages to a page that doesn't exist.
 */
export function rewriteUrl(raw: Pick<IncomingMessage, 'url'>): string {
  const url = trimSlash(decodeAlphanumerics(raw.url ?? '/')).replace(/^\/api(?=\/v1(?:\/|\?|$))/, '');
  if (!apiPathPattern.test(url)) return escapeInvalid(url);
  if (!sandboxPathPattern.test(url)) return url;
  sandboxRequests.add(raw);
  return url.replace(sandboxPathPattern, '/v1');
}
