import { pollUntil } from './poll-until.ts';

export interface ReadyOptions {
  /** The start of the error message "gateway is not ready ...". */
  name: string;
  timeoutMs: number;
  signal?: AbortSignal | undefined;
}

/** Of one request, for a service that accepts connections without responding. */
const RESPONSE_TIMEOUT_MS = 2_000;
const MAX_QUOTE_LENGTH = 500;

/** Requests `url` until the response is 200. Throws an error with the last response after the timeout. */
export async function waitForReady(url: string, { name, timeoutMs, signal }: ReadyOptions): Promise<void> {
  let last = 'none';
  const request = async () => {
    try {
      const response = await fetch(url, { signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS) });
      const body = await response.text();
      if (response.ok) return true;
      last = `${response.status} ${body.slice(0, MAX_QUOTE_LENGTH)}`;
    } catch {
      // The service isn't listening yet.
    }
    return undefined;
  };
  try {
    await pollUntil(request, { timeoutMs, intervalMs: 50, signal, waitingFor: `for ${url}` });
  } catch (cause) {
    signal?.throwIfAborted();
    throw new Error(`${name} is not ready after ${timeoutMs / 1000} s. Last response of ${url}: ${last}`, { cause });
  }
}
