import { setTimeout as delay } from 'node:timers/promises';

export interface PollOptions {
  timeoutMs: number;
  intervalMs?: number;
  signal?: AbortSignal | undefined;
  /** Ends the sentence "gave up after 10 s waiting ..." */
  waitingFor: string;
}

/**
 * Calls `check` until it answers something else than undefined and returns that.
 * Throws when `timeoutMs` have passed, when the signal aborts, and whatever `check` throws.
 */
export async function pollUntil<T>(
  check: () => T | undefined | Promise<T | undefined>,
  { timeoutMs, intervalMs = 25, signal, waitingFor }: PollOptions,
): Promise<T> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    signal?.throwIfAborted();
    const answer = await check();
    if (answer !== undefined) return answer;
    if (performance.now() >= deadline) throw new Error(`gave up after ${timeoutMs / 1000} s waiting ${waitingFor}`);
    await delay(intervalMs, undefined, { signal });
  }
}
