import { accept, parseError } from '@uprez/client/api-error';
import { routeUrl } from '@uprez/client/route-url';
import type { Route } from '@uprez/contracts/endpoints/routes';
import { makeTraceparent } from './make-traceparent.ts';

type Upload = {
  route: Route;
  params?: Record<string, string>;
  body: Blob | FormData;
  headers?: Record<string, string>;
  signal: AbortSignal;
  /** Called with the integer percentage sent. At 100, the response is pending. */
  onPercent: (percent: number) => void;
};

function readResponse(request: XMLHttpRequest): unknown {
  const { status, statusText, responseText: body } = request;
  if (status < 400) return JSON.parse(body);
  const header = (name: string) => request.getResponseHeader(name) ?? undefined;
  throw parseError({ status, statusText, body, header });
}

function tellPercent(request: XMLHttpRequest, onPercent: Upload['onPercent']) {
  let told = -1;
  request.upload.onprogress = ({ loaded, total }) => {
    const percent = total > 0 ? Math.floor((loaded / total) * 100) : 0;
    if (percent !== told) onPercent(percent);
    told = percent;
  };
}

/**
 * Uploads one file and returns the JSON response. Throws ApiError for an error response, another Error without a
 * response, and the signal's reason on abort. Uses XMLHttpRequest because `fetch` does not report upload progress. Uppy
 * was rejected: it has a queue of its own and ignores `Retry-After`.
 */
export function uploadFile({ route, params, body, headers = {}, signal, onPercent }: Upload): Promise<unknown> {
  const request = new XMLHttpRequest();
  request.open(route.method, routeUrl(route, params ? { params } : {}));
  request.withCredentials = true;
  for (const [name, value] of Object.entries({ accept, traceparent: makeTraceparent(), ...headers }))
    request.setRequestHeader(name, value);
  tellPercent(request, onPercent);
  const stop = () => request.abort();
  return new Promise<unknown>((resolve, reject) => {
    request.onload = () => {
      try {
        resolve(readResponse(request));
      } catch (error) {
        reject(error);
      }
    };
    request.onerror = () => reject(new Error('No answer'));
    request.onabort = () => reject(signal.reason);
    signal.throwIfAborted();
    signal.addEventListener('abort', stop);
    request.send(body);
  }).finally(() => signal.removeEventListener('abort', stop));
}
