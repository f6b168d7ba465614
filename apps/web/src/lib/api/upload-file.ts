import { accept } from '@uprez/client/read-answer';
import { readFailure } from '@uprez/client/read-failure';
import { routeUrl } from '@uprez/client/route-url';
import { type RouteName, routes } from '@uprez/contracts/endpoints/routes';

type Upload = {
  route: RouteName;
  /** Parts of its path. */
  params?: Record<string, string>;
  /** A file as it is, or a form around one. */
  body: Blob | FormData;
  headers?: Record<string, string>;
  signal: AbortSignal;
  /** 0-100, whole numbers, each told once. At 100 the answer is awaited. */
  onPercent: (percent: number) => void;
};

function readAnswer(request: XMLHttpRequest): unknown {
  const { status, statusText, responseText: body } = request;
  if (status < 400) return JSON.parse(body);
  const header = (name: string) => request.getResponseHeader(name) ?? undefined;
  throw readFailure({ status, statusText, body, header });
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
 * Send one file and answer the JSON that comes back. Throws ApiError for an error of the server, another Error when there
 * was no answer, and the signal's reason when it was aborted. XMLHttpRequest, because `fetch` does not tell how much has
 * been sent. Not Uppy: its queue has a state of its own beside ours, its retries know no `Retry-After`, and the adapter
 * that turned its events into answers and ApiErrors was longer than this file.
 */
export function uploadFile({ route, params, body, headers = {}, signal, onPercent }: Upload): Promise<unknown> {
  const request = new XMLHttpRequest();
  request.open(routes[route].method, routeUrl(route, params ? { params } : {}));
  request.withCredentials = true;
  for (const [name, value] of Object.entries({ accept, ...headers })) request.setRequestHeader(name, value);
  tellPercent(request, onPercent);
  const stop = () => request.abort();
  return new Promise<unknown>((resolve, reject) => {
    request.onload = () => {
      try {
        resolve(readAnswer(request));
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
