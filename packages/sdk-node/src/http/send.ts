import type { Settings } from '../config.ts';
import { ApiError, ConnectionError, UprezError } from '../errors.ts';
import { version } from '../generated/facts.ts';
import type { Problem } from '../generated/types.ts';
import { type Body, buildUrl, type Query, type RouteName } from './build-url.ts';
import { isTransient, pause, readRetryAfterMs, retryDelayMs } from './retry.ts';

export type Call = {
  params?: Record<string, string>;
  query?: Query;
  body?: Body;
  headers?: Record<string, string>;
  /** Makes the request safe to retry. */
  idempotencyKey?: string | undefined;
  signal?: AbortSignal | undefined;
};
/** `isSafe`: can be retried if the outcome is unknown. `read`: parses the response. */
type Request<Data> = {
  url: URL | string;
  init: RequestInit;
  body?: Body | undefined;
  isSafe: boolean;
  signal?: AbortSignal | undefined;
  read: (response: Response) => Data | Promise<Data>;
};
type Attempt<Data> = { data: Data } | { error: UprezError; canRetry: boolean; retryAfterMs?: number | undefined };

const agent = { 'user-agent': `uprez-node/${version} node/${process.versions.node}` };

/**
 * Sends a request with retries and parses the JSON response. Throws ApiError, ConnectionError, UprezError
 * `unexpected_answer` if the response isn't from the API, or the reason of the signal.
 */
export async function requestJson<Data>(settings: Settings, route: RouteName, call: Call = {}): Promise<Data> {
  return (await requestWithHeaders<Data>(settings, route, call)).data;
}

/** Like `requestJson`, with the headers of the response. */
export const requestWithHeaders = <Data>(settings: Settings, route: RouteName, call: Call) =>
  sendWithRetries(settings, makeRequest(settings, route, { call, read: readJson<Data> }));

/** Like `requestJson`, for responses that aren't JSON. */
export const open = (settings: Settings, route: RouteName, call: Call): Promise<Response> =>
  sendWithRetries(settings, makeRequest(settings, route, { call, read: (response) => response }));

async function readJson<Data>(response: Response): Promise<{ data: Data; headers: Headers }> {
  const data: unknown = response.status === 204 ? undefined : await response.json();
  return { data: data as Data, headers: response.headers };
}

type RequestOptions<Data> = { call: Call; read: Request<Data>['read'] };

function makeRequest<Data>(settings: Settings, route: RouteName, { call, read }: RequestOptions<Data>): Request<Data> {
  const { method, url } = buildUrl(settings, route, call);
  const { body, idempotencyKey, signal } = call;
  const isSafe = method !== 'POST' || idempotencyKey !== undefined || route === 'v1Estimate';
  // 'error' keeps the API key from being sent elsewhere. With other values, fetch buffers streamed bodies in memory.
  const init: RequestInit = { method, redirect: 'error', headers: makeHeaders(settings, call) };
  return { url, init, body, isSafe, signal, read };
}

/** Credits that a request reserved. */
export const readCharged = (headers: Headers): number => Number(headers.get('x-credits-charged') ?? 0);

/** Requests a signed URL, without the API key. */
export const follow = (settings: Settings, url: string, signal?: AbortSignal): Promise<Response> =>
  sendWithRetries(settings, { url, init: { headers: agent }, isSafe: true, signal, read: (response) => response });

async function sendWithRetries<Data>(settings: Settings, request: Request<Data>): Promise<Data> {
  for (let n = 0; ; n += 1) {
    const attempt = await makeAttempt(settings, request);
    if ('data' in attempt) return attempt.data;
    const { error, canRetry, retryAfterMs } = attempt;
    if (!canRetry || n >= settings.maxRetries || Number.isNaN(retryAfterMs)) throw error;
    await pause(retryDelayMs(n, retryAfterMs), request.signal);
  }
}

async function makeAttempt<Data>(settings: Settings, request: Request<Data>): Promise<Attempt<Data>> {
  const { url, init, body, isSafe, signal, read } = request;
  const sent = body && { body: body.open() as RequestInit['body'], duplex: 'half' as const };
  try {
    const response = await settings.fetch(url, { ...init, ...sent, signal: signal ?? null });
    if (response.ok) return { data: await read(response) };
    const error = await readError(response);
    const canRetry = isTransient(error) && (isSafe || error.status === 429) && !body?.isOnce;
    return { error, canRetry, retryAfterMs: readRetryAfterMs(response.headers.get('retry-after')) };
  } catch (cause) {
    signal?.throwIfAborted();
    if (isRedirect(cause)) return { error: unexpected('a redirect'), canRetry: false };
    if (cause instanceof SyntaxError) return { error: unexpected('invalid JSON'), canRetry: false };
    return { error: new ConnectionError(cause), canRetry: isSafe && !body?.isOnce };
  }
}

const unexpected = (what: string) =>
  new UprezError('unexpected_answer', `The service returned ${what}. Check the base URL.`);
/** Matches the message of fetch. */
const isRedirect = (error: unknown) => String((error as Error).cause).includes('unexpected redirect');

const makeHeaders = ({ apiKey }: Settings, { body, idempotencyKey, headers }: Call) => ({
  ...agent,
  authorization: `Bearer ${apiKey}`,
  accept: 'application/json',
  ...(body && { 'content-type': body.type }),
  ...(body?.sizeBytes !== undefined && { 'content-length': String(body.sizeBytes) }),
  ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
  ...headers,
});

/** Parses the error response of the service or of a proxy. */
async function readError(response: Response): Promise<ApiError> {
  const { status, headers } = response;
  const body = await response.text().catch(() => '');
  const known = headers.get('content-type')?.includes('json') ? parse(body) : {};
  const requestId = known.request_id ?? headers.get('x-request-id');
  return new ApiError({
    ...known,
    status,
    code: known.code ?? headers.get('x-error-code') ?? 'unexpected_answer',
    detail: known.detail ?? `The service returned ${status}.`,
    ...(requestId && { request_id: requestId }),
  });
}

function parse(body: string): Partial<Problem> {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}
