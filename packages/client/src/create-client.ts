import type { Route, RouteName } from '@uprez/contracts/endpoints/routes';
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

function requestInit({ method }: Route, { body, headers, signal, redirect }: AnyInput): RequestInit {
  const isForm = body instanceof FormData;
  return {
    method,
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
 * Creates a client with one typed function per route: `client.login({ body })`. Includes cookies. Error responses throw
 * ApiError, and network errors throw the error of `fetch`.
 */
export function createClient<N extends RouteName>(
  routes: Record<N, Route>,
  { baseUrl = '', fetch = (url, init) => globalThis.fetch(url, init) }: ClientOptions = {},
): Client<N> {
  const call = async (route: Route, input: AnyInput = {}) => {
    const response = await fetch(baseUrl + routeUrl(route, input), requestInit(route, input));
    return readResponse(response);
  };
  const calls = Object.entries<Route>(routes).map(([name, route]) => [name, (input?: AnyInput) => call(route, input)]);
  // TypeScript can't infer the functions from the table at run time.
  return Object.fromEntries(calls) as unknown as Client<N>;
}
