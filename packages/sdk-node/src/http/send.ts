import type { Settings } from '../config.ts';
import { version } from '../generated/facts.ts';
import { type Body, buildUrl, type Query, type RouteName } from './build-url.ts';
import { type Request, sendWithRetries } from './send-with-retries.ts';

export type Call = {
  params?: Record<string, string>;
  query?: Query;
  body?: Body;
  headers?: Record<string, string>;
  /** Makes the request safe to retry. */
  idempotencyKey?: string | undefined;
  signal?: AbortSignal | undefined;
};
const { bun, deno, node } = process.versions;
const runtime = bun ? `bun/${bun}` : deno ? `deno/${deno}` : `node/${node}`;
const userAgentHeader = { 'user-agent': `uprez-node/${version} ${runtime}` };

/**
 * Sends a request with retries and parses the JSON response. Throws ApiError, ConnectionError, the signal's reason, or
 * UprezError `unexpected_answer` if the response isn't from the API.
 */
export async function requestJson<Data>(settings: Settings, route: RouteName, call: Call = {}): Promise<Data> {
  return (await requestWithHeaders<Data>(settings, route, call)).data;
}

/** Like `requestJson`, but also returns the headers of the response. */
export const requestWithHeaders = <Data>(settings: Settings, route: RouteName, call: Call) =>
  sendWithRetries(settings, makeRequest(settings, route, { call, read: readJson<Data> }));

/** Like `requestJson`, but for a response that isn't JSON. The caller reads the response body. */
export const open = (settings: Settings, route: RouteName, call: Call): Promise<Response> =>
  sendWithRetries(
    settings,
    makeRequest(settings, route, { call: { ...call, headers: { accept: '*/*' } }, read: (response) => response }),
  );

/** Requests a result. `bytes` is undefined if the job isn't finished yet (202). */
export const requestImage = (settings: Settings, route: RouteName, call: Call) =>
  sendWithRetries(settings, makeRequest(settings, route, { call, read: readImage }));

async function readImage(response: Response): Promise<{ jobId: string; bytes: Buffer | undefined }> {
  const bytes = response.status === 202 ? undefined : Buffer.from(await response.arrayBuffer());
  return { jobId: response.headers.get('x-job-id') ?? '', bytes };
}

async function readJson<Data>(response: Response): Promise<{ data: Data; headers: Headers }> {
  const data: unknown = response.status === 204 ? undefined : await response.json();
  return { data: data as Data, headers: response.headers };
}

type RequestOptions<Data> = { call: Call; read: Request<Data>['read'] };

function makeRequest<Data>(settings: Settings, route: RouteName, { call, read }: RequestOptions<Data>): Request<Data> {
  const { method, url } = buildUrl(settings, route, call);
  const { body, idempotencyKey, signal } = call;
  const isSafe = method !== 'POST' || idempotencyKey !== undefined || route === 'v1Estimate';
  // `redirect: 'error'` prevents a redirect from sending the API key elsewhere. With other values, `fetch` would also
  // buffer streamed bodies in memory.
  const init: RequestInit = { method, redirect: 'error', headers: makeHeaders(settings, call) };
  return { url, init, body, isSafe, signal, read };
}

/** Returns the credits that a request reserved. */
export const readCharged = (headers: Headers): number => Number(headers.get('x-credits-charged') ?? 0);

/** Requests a signed URL, without the API key. */
export const requestSignedUrl = (settings: Settings, url: string, signal?: AbortSignal): Promise<Response> =>
  sendWithRetries(settings, {
    url,
    init: { headers: userAgentHeader },
    isSafe: true,
    signal,
    read: (response) => response,
  });

const makeHeaders = ({ apiKey }: Settings, { body, idempotencyKey, headers }: Call) => ({
  ...userAgentHeader,
  authorization: `Bearer ${apiKey}`,
  accept: 'application/json',
  ...(body && { 'content-type': body.type }),
  ...(body?.sizeBytes !== undefined && { 'content-length': String(body.sizeBytes) }),
  ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
  ...headers,
});
