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
/** `isSafe`: may be made again when nobody knows whether it was heard. `read`: what is wanted of the answer. */
type Request<Answer> = {
  url: URL | string;
  init: RequestInit;
  body?: Body | undefined;
  isSafe: boolean;
  signal?: AbortSignal | undefined;
  read: (response: Response) => Answer | Promise<Answer>;
};
type Attempt<Answer> = { answer: Answer } | { failure: UprezError; mayRepeat: boolean; askedMs?: number | undefined };

const agent = { 'user-agent': `uprez-node/${version} node/${process.versions.node}` };

/**
 * Make a call, again and again while its failure may pass, and read its JSON. Throws ApiError and ConnectionError,
 * UprezError `unexpected_answer` where something else answers, or the signal's reason.
 */
export async function ask<Answer>(settings: Settings, route: RouteName, call: Call = {}): Promise<Answer> {
  return (await askWithHeaders<Answer>(settings, route, call)).answer;
}

/** The same with the headers of the answer. */
export const askWithHeaders = <Answer>(settings: Settings, route: RouteName, call: Call) =>
  persist(settings, makeRequest(settings, route, { call, read: readJson<Answer> }));

/** The same for what is no JSON. */
export const open = (settings: Settings, route: RouteName, call: Call): Promise<Response> =>
  persist(settings, makeRequest(settings, route, { call, read: (response) => response }));

async function readJson<Answer>(response: Response): Promise<{ answer: Answer; headers: Headers }> {
  const answer: unknown = response.status === 204 ? undefined : await response.json();
  return { answer: answer as Answer, headers: response.headers };
}

type Making<Answer> = { call: Call; read: Request<Answer>['read'] };

function makeRequest<Answer>(settings: Settings, route: RouteName, { call, read }: Making<Answer>): Request<Answer> {
  const { method, url } = buildUrl(settings, route, call);
  const { body, idempotencyKey, signal } = call;
  const isSafe = method !== 'POST' || idempotencyKey !== undefined || route === 'v1Estimate';
  // A key must not follow wherever a proxy points. Besides, for any other value fetch keeps all of a streamed body in memory.
  const init: RequestInit = { method, redirect: 'error', headers: makeHeaders(settings, call) };
  return { url, init, body, isSafe, signal, read };
}

/** Units that a call took. */
export const readCharged = (headers: Headers): number => Number(headers.get('x-credits-charged') ?? 0);

/** Follow a link that works without a key. */
export const follow = (settings: Settings, url: string, signal?: AbortSignal): Promise<Response> =>
  persist(settings, { url, init: { headers: agent }, isSafe: true, signal, read: (response) => response });

async function persist<Answer>(settings: Settings, request: Request<Answer>): Promise<Answer> {
  for (let n = 0; ; n += 1) {
    const attempt = await makeAttempt(settings, request);
    if ('answer' in attempt) return attempt.answer;
    const { failure, mayRepeat, askedMs } = attempt;
    if (!mayRepeat || n >= settings.maxRetries || Number.isNaN(askedMs)) throw failure;
    await pause(retryDelayMs(n, askedMs), request.signal);
  }
}

async function makeAttempt<Answer>(settings: Settings, request: Request<Answer>): Promise<Attempt<Answer>> {
  const { url, init, body, isSafe, signal, read } = request;
  const sent = body && { body: body.open() as RequestInit['body'], duplex: 'half' as const };
  try {
    const response = await settings.fetch(url, { ...init, ...sent, signal: signal ?? null });
    if (response.ok) return { answer: await read(response) };
    const failure = await readFailure(response);
    const mayRepeat = mayPass(failure) && (isSafe || failure.status === 429) && !body?.isOnce;
    return { failure, mayRepeat, askedMs: readRetryAfterMs(response.headers.get('retry-after')) };
  } catch (error) {
    signal?.throwIfAborted();
    if (isRedirect(error)) return { failure: unexpected('a redirect, which is not followed'), mayRepeat: false };
    if (error instanceof SyntaxError) return { failure: unexpected('something else than JSON'), mayRepeat: false };
    return { failure: new ConnectionError(error), mayRepeat: isSafe && !body?.isOnce };
  }
}

const unexpected = (what: string) =>
  new UprezError('unexpected_answer', `The service answered with ${what}. Is its address right?`);
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
