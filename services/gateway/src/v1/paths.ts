import type { IncomingMessage } from 'node:http';
import { sandbox } from '@uprez/contracts/policy/sandbox';
import type { FastifyRequest } from 'fastify';

const publicApiPattern = /^\/v1(?:\/|\?|$)/;
const sandboxPathPattern = new RegExp(`^${sandbox.prefix}(?=/|\\?|$)`);
const sandboxRequests = new WeakSet<object>();

export const isV1 = (request: Pick<FastifyRequest, 'url'>): boolean => publicApiPattern.test(request.url);

/** Whether a request was sent to a sandbox URL, before `rewriteUrl` removed the prefix. */
export const isSandboxPath = (request: Pick<FastifyRequest, 'raw'>): boolean => sandboxRequests.has(request.raw);

export const v1Prefix = (request: Pick<FastifyRequest, 'raw'>): string =>
  isSandboxPath(request) ? sandbox.prefix : '/v1';

/** A percent-encoded letter or digit, which is equivalent to the character itself (RFC 3986, 6.2.2.2). */
const escapedPattern = /%(?:3[0-9]|[46][1-9a-f]|[57][0-9a])/gi;

/** Decodes letters and digits, because the router does so, too, and hooks must see the same URL. */
const decodeAlphanumerics = (url: string): string =>
  url.replace(/^[^?#]*/, (path) => path.replace(escapedPattern, (text) => decodeURIComponent(text)));

/** The APIs respond to malformed URLs themselves. */
const apiPathPattern = /^\/(api|v1)(\/|\?|$)/;

/**
 * Escapes a path that can't be decoded. The router would otherwise respond with plain text, and visitors expect a page.
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

/** Removes the trailing slash that some clients add, because no route has one. */
const trimSlash = (url: string): string => url.replace(/^(\/(?:api|v1|mcp)(?:\/[^/?#]+)*)\/(?=[?#]|$)/, '$1');

/**
 * Maps `/api/v1` and the sandbox to the routes under `/v1`, and removes trailing slashes from API paths. Escapes
 * malformed URLs outside the APIs, and visitors then get the "not found" page.
 */
export function rewriteUrl(raw: Pick<IncomingMessage, 'url'>): string {
  const url = trimSlash(decodeAlphanumerics(raw.url ?? '/')).replace(/^\/api(?=\/v1(?:\/|\?|$))/, '');
  if (!apiPathPattern.test(url)) return escapeInvalid(url);
  if (!sandboxPathPattern.test(url)) return url;
  sandboxRequests.add(raw);
  return url.replace(sandboxPathPattern, '/v1');
}
