import type { Endpoints } from '@uprez/contracts/endpoints/endpoints';
import type { RouteName } from '@uprez/contracts/endpoints/routes';
import type * as z from 'zod';

type SchemaInput<E, K extends string> = E extends { [P in K]: infer S extends z.ZodType } ? z.input<S> : never;

/** Statuses that return a response. Others throw an ApiError. */
type Success = 200 | 201 | 202 | 204 | 206 | 302;

type Part<E, K extends string> = E extends { [P in K]: z.ZodType } ? { [P in K]: SchemaInput<E, K> } : unknown;
/** Endpoints without a body schema may accept a form. */
type Body<E> = E extends { body: z.ZodType } ? Part<E, 'body'> : { body?: FormData };
type Query<E> = E extends { query: z.ZodType } ? { query?: SchemaInput<E, 'query'> } : unknown;

export type CallOptions = { headers?: Record<string, string>; signal?: AbortSignal; redirect?: 'follow' | 'manual' };

/** Input of a call: `params` of the path, `query`, `body` (JSON or FormData), and options. */
export type CallInput<N extends RouteName> = CallOptions &
  Part<Endpoints[N], 'params'> &
  Query<Endpoints[N]> &
  Body<Endpoints[N]>;

type Answers<N extends RouteName> = Endpoints[N]['answers'];

/** Union of the responses by status. `data` is the parsed JSON. For other media types, read `response`. */
export type Answer<N extends RouteName> = {
  [S in keyof Answers<N> & Success]: {
    status: S;
    data: Answers<N>[S] extends z.ZodType ? z.output<Answers<N>[S]> : never;
    headers: Headers;
    response: Response;
  };
}[keyof Answers<N> & Success];

/** The input is optional if it has no required members. */
type Call<N extends RouteName> =
  Record<string, never> extends CallInput<N>
    ? (input?: CallInput<N>) => Promise<Answer<N>>
    : (input: CallInput<N>) => Promise<Answer<N>>;

export type Client<N extends RouteName> = { [Name in N]: Call<Name> };
