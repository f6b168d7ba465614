import { type RouteName, routes } from '@uprez/contracts/endpoints/routes';
import type { CallOptions, Client } from './call-types.ts';
import { accept, readAnswer } from './read-answer.ts';
import { routeUrl } from './route-url.ts';

export type ClientOptions = {
  /** Origin that the paths are appended to; same origin when absent. */
  baseUrl?: string;
  /** In place of the global fetch: a cookie jar, an agent, a recorder. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
};

type AnyInput = CallOptions & { params?: object; query?: object; body?: unknown };

function requestInit(name: RouteName, { body, headers, signal, redirect }: AnyInput): RequestInit {
  const isForm = body instanceof FormData;
  return {
    method: routes[name].method,
    credentials: 'include',
    headers: {
      accept,
      ...(body !== undefined && !isForm && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
    ...(signal && { signal }),
    ...(redirect && { redirect }),
  };
}

/**
 * One typed function for each call of the HTTP contract: `client.login({ body })`. Cookies are included. An answer of
 * 400 or above throws ApiError; a network failure throws what `fetch` throws.
 */
export function createClient({ baseUrl = '', fetch = (url, init) => globalThis.fetch(url, init) }: ClientOptions = {}) {
  const call = async (name: RouteName, input: AnyInput = {}) => {
    const response = await fetch(baseUrl + routeUrl(name, input), requestInit(name, input));
    return readAnswer(response);
  };
  const names = Object.keys(routes) as RouteName[];
  // The table is walked once at run time; its types are checked where calls are written.
  return Object.fromEntries(names.map((name) => [name, (input?: AnyInput) => call(name, input)])) as unknown as Client;
}
