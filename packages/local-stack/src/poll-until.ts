import { setTimeout as delay } from 'node:timers/promises';

export interface PollOptions {
  timeoutMs: number;
  intervalMs?: number;
  signal?: AbortSignal | undefined;
  /** The end of the error message "timed out after 10 s waiting ...". */
  waitingFor: string;
}

/**
 * Calls `check` until it returns a value other than undefined, and returns that value. Throws after `timeoutMs`, when the
 * signal aborts, and when `check` throws.
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
    await delay(intervalMs, undefined, { signal });
  }
}
