import type { Settings } from '../config.ts';
import { ConnectionError, UprezError } from '../errors.ts';
import { version } from '../generated/facts.ts';
import type { Body } from './body.ts';
import { buildUrl, type Query, type RouteName } from './build-url.ts';
import { readFailure } from './read-failure.ts';
import { mayPass, pause, readRetryAfterMs, retryDelayMs } from './retry.ts';

export type Call = {
  params?: Record<string, string>;
  query?: Query;
  body?: Body;
  headers?: Record<string, string>;
  /** Makes a call that would be made twice a safe one. */
  idempotencyKey?: string | undefined;
  signal?: AbortSignal | undefined;
};
/** `isSafe`: may be made again when nobody knows whether it was heard. */
type Request = {
  url: URL | string;
  init: RequestInit;
  body?: Body | undefined;
  isSafe: boolean;
  signal?: AbortSignal | undefined;
};
type Attempt = { response: Response } | { failure: UprezError; mayRepeat: boolean; askedMs?: number | undefined };

const agent = { 'user-agent': `uprez-node/${version} node/${process.versions.node}` };

/** Make a call, again and again while its failure may pass. Throws ApiError and ConnectionError, or the signal's reason. */
export function send(settings: Settings, route: RouteName, call: Call = {}): Promise<Response> {
  const { method, url } = buildUrl(settings, route, call);
  const { body, idempotencyKey, signal } = call;
  const isSafe = method !== 'POST' || idempotencyKey !== undefined || route === 'v1Estimate';
  // A key must not follow wherever a proxy points. Besides, for any other value fetch keeps all of a streamed body in memory.
  const init: RequestInit = { method, redirect: 'error', headers: makeHeaders(settings, call) };
  return persist(settings, { url, init, body, isSafe, signal });
}

/** The same, its answer read as JSON. */
export async function ask<Answer>(settings: Settings, route: RouteName, call: Call = {}): Promise<Answer> {
  const response = await send(settings, route, call);
  return (response.status === 204 ? undefined : await response.json()) as Answer;
}

/** Units that a call took. */
export const readCharged = ({ headers }: Response): number => Number(headers.get('x-credits-charged') ?? 0);

/** Follow a link that works without a key. */
export const follow = (settings: Settings, url: string, signal?: AbortSignal): Promise<Response> =>
  persist(settings, { url, init: { headers: agent }, isSafe: true, signal });

async function persist(settings: Settings, request: Request): Promise<Response> {
  for (let n = 0; ; n += 1) {
    const attempt = await makeAttempt(settings, request);
    if ('response' in attempt) return attempt.response;
    const { failure, mayRepeat, askedMs } = attempt;
    if (!mayRepeat || n >= settings.maxRetries || Number.isNaN(askedMs)) throw failure;
    await pause(retryDelayMs(n, askedMs), request.signal);
  }
}

async function makeAttempt(settings: Settings, { url, init, body, isSafe, signal }: Request): Promise<Attempt> {
  const sent = body && { body: body.open() as RequestInit['body'], duplex: 'half' as const };
  try {
    const response = await settings.fetch(url, { ...init, ...sent, signal: signal ?? null });
    if (response.ok) return { response };
    const failure = await readFailure(response);
    const mayRepeat = mayPass(failure) && (isSafe || failure.status === 429) && !body?.isOnce;
    return { failure, mayRepeat, askedMs: readRetryAfterMs(response.headers.get('retry-after')) };
  } catch (error) {
    signal?.throwIfAborted();
    if (isRedirect(error)) return { failure: new UprezError('unexpected_answer', redirected), mayRepeat: false };
    return { failure: new ConnectionError(error), mayRepeat: isSafe && !body?.isOnce };
  }
}

const redirected = 'The service answered with a redirect, which is not followed. Is its address right?';
/** As fetch words it. */
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
