import { pollUntil } from './poll-until.ts';

export interface ReadyOptions {
  /** Begins the error: "gateway is not ready ...". */
  name: string;
  timeoutMs: number;
  signal?: AbortSignal | undefined;
}

/** Of one question; a service that accepts and never answers must not hold up the loop. */
const ANSWER_TIMEOUT_MS = 2_000;
const LONGEST_QUOTE = 500;

/** Asks `url` until it answers 200. Throws on timeout, with the last answer: it says what the service is waiting for. */
export async function waitForReady(url: string, { name, timeoutMs, signal }: ReadyOptions): Promise<void> {
  let last = 'no answer yet';
  const ask = async () => {
    try {
      const response = await fetch(url, { signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS) });
      const body = await response.text();
      if (response.ok) return true;
      last = `${response.status} ${body.slice(0, LONGEST_QUOTE)}`;
    } catch {
      // Not listening yet.
    }
    return undefined;
  };
  try {
    await pollUntil(ask, { timeoutMs, intervalMs: 50, signal, waitingFor: `for ${url}` });
  } catch (cause) {
    signal?.throwIfAborted();
    throw new Error(`${name} is not ready after ${timeoutMs / 1000} s. Last answer of ${url}: ${last}`, { cause });
  }
}
