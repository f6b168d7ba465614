import type { Settings } from '../config.ts';
import { ApiError, ConnectionError, UprezError } from '../errors.ts';
import { errorCodes } from '../generated/facts.ts';
import type { Problem } from '../generated/types.ts';
import type { Body } from './build-url.ts';

/** `isSafe`: whether the request can be retried if its outcome is unknown. `read`: parses the response. */
export type Request<Data> = {
  url: URL | string;
  init: RequestInit;
  body?: Body | undefined;
  isSafe: boolean;
  signal?: AbortSignal | undefined;
  read: (response: Response) => Data | Promise<Data>;
};
type SendSettings = Pick<Settings, 'fetch' | 'maxRetries'>;
type Attempt<Data> = { data: Data } | { error: UprezError; canRetry: boolean; retryAfterMs?: number | undefined };

/**
 * Sends a request with retries. Also works in browsers. Throws ApiError, ConnectionError, the signal's reason, or
 * UprezError `unexpected_answer` if the response isn't from the API.
 */
export async function sendWithRetries<Data>(settings: SendSettings, request: Request<Data>): Promise<Data> {
  for (let n = 0; ; n += 1) {
    const attempt = await makeAttempt(settings, request);
    if ('data' in attempt) return attempt.data;
    const { error, canRetry, retryAfterMs } = attempt;
    if (!canRetry || n >= settings.maxRetries || Number.isNaN(retryAfterMs)) throw error;
    await pause(retryDelayMs(n, retryAfterMs), request.signal);
  }
}

async function makeAttempt<Data>(settings: SendSettings, request: Request<Data>): Promise<Attempt<Data>> {
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
/** Whether `fetch` rejected a redirect. Only the error message identifies this case. */
const isRedirect = (error: unknown) => String((error as Error).cause).includes('unexpected redirect');

async function readError(response: Response): Promise<ApiError> {
  const { status, headers } = response;
  const body = await response.text().catch(() => '');
  const known = headers.get('content-type')?.includes('json') ? parse(body) : {};
  const requestId = known.request_id ?? headers.get('x-request-id');
  const retryAfterMs = parseRetryAfterMs(headers.get('retry-after'));
  const problem = {
    ...known,
    status,
    code: known.code ?? headers.get('x-error-code') ?? 'unexpected_answer',
    detail: known.detail ?? `The service returned ${status}.`,
    ...(requestId && { request_id: requestId }),
  };
  return new ApiError(problem, retryAfterMs === undefined ? undefined : Math.ceil(retryAfterMs / 1_000));
}

function parse(body: string): Partial<Problem> {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}

const firstMs = 500;
/** Maximum accepted Retry-After delay. */
const maxRetryAfterMs = 60_000;
const retriedStatuses = new Set([429, 500, 502, 503, 504]);

/** Whether a retry may succeed. Depends on the status and, if the error code is known, also on the code. */
function isTransient({ status, code }: { status: number; code: string }): boolean {
  if (!retriedStatuses.has(status)) return false;
  return Object.hasOwn(errorCodes, code) ? errorCodes[code as keyof typeof errorCodes] : true;
}

/** Parses Retry-After (seconds or a date). Returns undefined if it is absent or invalid. */
function parseRetryAfterMs(value: string | null): number | undefined {
  if (value === null) return undefined;
  const ms = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}

/** Parses Retry-After. Returns `NaN` if the delay is longer than the limit. */
function readRetryAfterMs(value: string | null): number | undefined {
  const ms = parseRetryAfterMs(value);
  return ms !== undefined && ms > maxRetryAfterMs ? Number.NaN : ms;
}

/**
 * Returns the delay after attempt `n` (from 0), in milliseconds. The delay is the Retry-After value or an exponential
 * backoff, with jitter.
 */
export function retryDelayMs(n: number, retryAfterMs?: number): number {
  if (retryAfterMs !== undefined) return retryAfterMs + Math.random() * 250;
  return firstMs * 2 ** n * (0.5 + Math.random());
}

/** Waits for `ms`. Throws the signal's reason if it aborts. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  await new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener('abort', end);
  });
  signal?.throwIfAborted();
}
