import { setTimeout as delay } from 'node:timers/promises';

interface PollOptions {
  timeoutMs: number;
  intervalMs?: number;
  signal?: AbortSignal | undefined;
  /** End of the error message "timed out after 10 s waiting ...". */
  waitingFor: string;
}

/**
 * Calls `check` until it returns a value other than undefined, and returns that value. Throws after `timeoutMs`, when
 * `signal` aborts (with its reason), and when `check` throws.
 */
export async function pollUntil<T>(
  check: () => T | undefined | Promise<T | undefined>,
  { timeoutMs, intervalMs = 25, signal, waitingFor }: PollOptions,
): Promise<T> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    signal?.throwIfAborted();
    const result = await check();
    if (result !== undefined) return result;
    if (performance.now() >= deadline) throw new Error(`timed out after ${timeoutMs / 1000} s waiting ${waitingFor}`);
    await delay(intervalMs, undefined, { signal }).catch(() => undefined);
  }
}

/** A service may accept connections without responding. */
const RESPONSE_TIMEOUT_MS = 2_000;
const MAX_QUOTE_LENGTH = 500;

/** `name`: the start of the error message "gateway is not ready ...". */
type ReadyOptions = Pick<PollOptions, 'timeoutMs' | 'signal'> & { name: string };

/** Requests `url` until the response is successful. After the timeout, throws an error with the last response. */
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
