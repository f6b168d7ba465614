import { ConnectionError } from './errors.ts';
import { pause, retryDelayMs, sendWithRetries } from './http/send-with-retries.ts';

export type SignedOptions = {
  signal?: AbortSignal;
  /** Number of retries after a transient error. Default: 3. */
  maxRetries?: number;
  /** Called with the number of bytes received so far and, if known, the total. */
  onProgress?: (receivedBytes: number, totalBytes: number | undefined) => void;
  /** A replacement for the global `fetch`, for tests. */
  fetch?: typeof fetch;
};

/**
 * Requests a signed URL, such as the `download_url` of a job. The caller reads the response body. Throws ApiError,
 * ConnectionError, or the signal's reason.
 */
export async function openResult(url: string | URL, options: SignedOptions = {}): Promise<Response> {
  const { signal, maxRetries = 3, fetch: send = globalThis.fetch.bind(globalThis) } = options;
  const read = (response: Response) => response;
  return sendWithRetries({ fetch: send, maxRetries }, { url, init: {}, isSafe: true, signal, read });
}

/**
 * Downloads a signed URL, such as the `download_url` of a job. Restarts the download if it is interrupted. Throws the
 * same errors as `openResult`.
 */
export async function downloadResult(url: string | URL, options: SignedOptions = {}): Promise<Blob> {
  const { signal, maxRetries = 3 } = options;
  for (let n = 0; ; n += 1) {
    const response = await openResult(url, options);
    try {
      return await readBlob(response, options);
    } catch (error) {
      signal?.throwIfAborted();
      if (n >= maxRetries) throw new ConnectionError(error);
      await pause(retryDelayMs(n), signal);
    }
  }
}

async function readBlob(response: Response, { onProgress }: SignedOptions): Promise<Blob> {
  if (!onProgress || !response.body) return response.blob();
  const length = response.headers.get('content-length');
  const total = length === null ? undefined : Number(length);
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let received = 0;
  const reader = response.body.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    chunks.push(part.value as Uint8Array<ArrayBuffer>);
    received += part.value.byteLength;
    onProgress(received, total);
  }
  return new Blob(chunks, { type: response.headers.get('content-type') ?? '' });
}
