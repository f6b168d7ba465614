import type { Endpoints } from '@uprez/contracts/endpoints/endpoints';
import type { Route, RouteName } from '@uprez/contracts/endpoints/routes';
import type * as z from 'zod';
import { accept, readResponse } from './api-error.ts';
import { routeUrl } from './route-url.ts';

type SchemaInput<E, K extends string> = E extends { [P in K]: infer S extends z.ZodType } ? z.input<S> : never;

/** Status codes for which a call returns a response. Calls throw ApiError for error status codes. */
type Success = 200 | 201 | 202 | 204 | 206 | 302;

type Part<E, K extends string> = E extends { [P in K]: z.ZodType } ? { [P in K]: SchemaInput<E, K> } : unknown;
/** Endpoints without a body schema may accept a form. */
type Body<E> = E extends { body: z.ZodType } ? Part<E, 'body'> : { body?: FormData };
type Query<E> = E extends { query: z.ZodType } ? { query?: SchemaInput<E, 'query'> } : unknown;

type CallOptions = { headers?: Record<string, string>; signal?: AbortSignal; redirect?: 'follow' | 'manual' };

type CallInput<N extends RouteName> = CallOptions &
  Part<Endpoints[N], 'params'> &
  Query<Endpoints[N]> &
  Body<Endpoints[N]>;

type Answers<N extends RouteName> = Endpoints[N]['answers'];

/** Union of the responses by status. `data` is the parsed JSON. For other media types, read `response`. */
type Answer<N extends RouteName> = {
  [S in keyof Answers<N> & Success]: {
    status: S;
    data: Answers<N>[S] extends z.ZodType ? z.output<Answers<N>[S]> : never;
    headers: Headers;
    response: Response;
  };
}[keyof Answers<N> & Success];

/** The input is optional if none of its fields is required. */
type Call<N extends RouteName> =
  Record<string, never> extends CallInput<N>
    ? (input?: CallInput<N>) => Promise<Answer<N>>
    : (input: CallInput<N>) => Promise<Answer<N>>;

export type Client<N extends RouteName> = { [Name in N]: Call<Name> };

export type ClientOptions = {
  /** Origin of the API. Defaults to the origin of the page. */
  baseUrl?: string;
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
 * Creates a client with one typed function per route, such as `client.login({ body })`. Requests include cookies.
 * Functions throw ApiError for error responses, and the `fetch` error for network errors.
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
  // The cast is needed because TypeScript can't infer the types of functions that are created from the routes at run
  // time.
  return Object.fromEntries(calls) as unknown as Client<N>;
}
