import { ApiError, accept, parseError, readResponse as readReply } from '@uprez/client/api-error';
import { routeUrl } from '@uprez/client/route-url';
import type { Route } from '@uprez/contracts/endpoints/routes';
import { userKey } from './queries.ts';

const lossCheckTimeoutMs = 10_000;

type UploadInput = {
  route: Route;
  params?: Record<string, string>;
  body: Blob | FormData;
  headers?: Record<string, string>;
  signal: AbortSignal;
  /** Called with the percentage of bytes sent, as an integer. At 100, the response is still pending. */
  onPercent: (percent: number) => void;
};

function readResponse(request: XMLHttpRequest): unknown {
  const { status, statusText, responseText: body } = request;
  if (status < 400) return JSON.parse(body);
  const header = (name: string) => request.getResponseHeader(name) ?? undefined;
  throw parseError({ status, statusText, body, header });
}

function reportPercent(request: XMLHttpRequest, onPercent: UploadInput['onPercent']) {
  let told = -1;
  request.upload.onprogress = ({ loaded, total }) => {
    const percent = total > 0 ? Math.floor((loaded / total) * 100) : 0;
    if (percent !== told) onPercent(percent);
    told = percent;
  };
}

/**
 * Returns the error of a request without a response, or the signal's reason after an abort. Checks the session by
 * fetching the user: the server rejects an upload without a session before it has read the file, and browsers then lose
 * that response.
 */
async function findLossReason(signal: AbortSignal): Promise<unknown> {
  const either = AbortSignal.any([signal, AbortSignal.timeout(lossCheckTimeoutMs)]);
  try {
    await readReply(await fetch(userKey.join('/'), { credentials: 'include', headers: { accept }, signal: either }));
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return error;
  }
  return signal.aborted ? signal.reason : new Error('No answer');
}

/**
 * Uploads one file and returns the JSON response. Throws ApiError for an error response, another Error if no response
 * arrives, and the signal's reason on abort. Uses XMLHttpRequest because `fetch` doesn't report upload progress. Uppy
 * was rejected: it has a queue of its own and ignores `Retry-After`.
 */
export function uploadFile({ route, params, body, headers = {}, signal, onPercent }: UploadInput): Promise<unknown> {
  const request = new XMLHttpRequest();
  request.open(route.method, routeUrl(route, params ? { params } : {}));
  request.withCredentials = true;
  for (const [name, value] of Object.entries({ accept, traceparent: makeTraceparent(), ...headers }))
    request.setRequestHeader(name, value);
  reportPercent(request, onPercent);
  const stop = () => request.abort();
  return new Promise<unknown>((resolve, reject) => {
    request.onload = () => {
      try {
        resolve(readResponse(request));
      } catch (error) {
        reject(error);
      }
    };
    request.onerror = () => void findLossReason(signal).then(reject);
    request.onabort = () => reject(signal.reason);
    signal.throwIfAborted();
    signal.addEventListener('abort', stop);
    request.send(body);
  }).finally(() => signal.removeEventListener('abort', stop));
}

const randomHex = (bytes: number) =>
  Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** Returns a W3C Trace Context header that starts a trace, so that a browser's request can be found in traces. */
export const makeTraceparent = (): string => `00-${randomHex(16)}-${randomHex(8)}-01`;
