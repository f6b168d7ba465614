import type { IncomingMessage } from 'node:http';
import { sandbox } from '@uprez/contracts/policy/sandbox';
import type { FastifyRequest } from 'fastify';

const publicApi = /^\/v1(?:\/|\?|$)/;
const ofSandbox = new RegExp(`^${sandbox.prefix}(?=/|\\?|$)`);
const sandboxed = new WeakSet<object>();

/** Whether a request is one of the public API's, known routes or not. */
export const isV1 = (request: Pick<FastifyRequest, 'url'>): boolean => publicApi.test(request.url);

/** Whether a request came under the sandbox's addresses. */
export const isSandboxPath = (request: Pick<FastifyRequest, 'raw'>): boolean => sandboxed.has(request.raw);

/** What addresses of the public API begin with for this caller. */
export const v1Prefix = (request: Pick<FastifyRequest, 'raw'>): string =>
  isSandboxPath(request) ? sandbox.prefix : '/v1';

/** A letter or a digit, written as its number: the same address to everybody who reads one (RFC 3986, 6.2.2.2). */
const escaped = /%(?:3[0-9]|[46][1-9a-f]|[57][0-9a])/gi;

/** An address in its one spelling, so that whoever looks at it sees what the router sees. */
const normalize = (url: string): string =>
  url.replace(/^[^?#]*/, (path) => path.replace(escaped, (text) => decodeURIComponent(text)));

/** The public API is the same under `/api/v1`; the sandbox has all of its routes. */
export function rewriteUrl(raw: Pick<IncomingMessage, 'url'>): string {
  const url = normalize(raw.url ?? '/').replace(/^\/api(?=\/v1(?:\/|\?|$))/, '');
  if (!ofSandbox.test(url)) return url;
  sandboxed.add(raw);
  return url.replace(ofSandbox, '/v1');
}
