import { type ApiRouteName, apiRoutes } from '@uprez/contracts/endpoints/routes-api';
import { accept, readResponse } from './api-error.ts';
import type { CallOptions, Client } from './call-types.ts';
import { routeUrl } from './route-url.ts';

export type ClientOptions = {
  /** Origin of the API. Default: the same origin. */
  baseUrl?: string;
  /** A replacement for the global `fetch`. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
};

type AnyInput = CallOptions & { params?: object; query?: object; body?: unknown };

function requestInit(name: ApiRouteName, { body, headers, signal, redirect }: AnyInput): RequestInit {
  const isForm = body instanceof FormData;
  return {
    method: apiRoutes[name].method,
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
 * Creates a client with one typed function per endpoint: `client.login({ body })`. Includes cookies. Error responses
 * throw ApiError, and network errors throw the error of `fetch`.
 */
export function createClient({ baseUrl = '', fetch = (url, init) => globalThis.fetch(url, init) }: ClientOptions = {}) {
  const call = async (name: ApiRouteName, input: AnyInput = {}) => {
    const response = await fetch(baseUrl + routeUrl(name, input), requestInit(name, input));
    return readResponse(response);
  };
  const names = Object.keys(apiRoutes) as ApiRouteName[];
  // TypeScript can't infer the functions from the table at run time.
  return Object.fromEntries(names.map((name) => [name, (input?: AnyInput) => call(name, input)])) as unknown as Client;
}
