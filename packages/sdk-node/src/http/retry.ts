import { errorCodes } from '../generated/facts.ts';

const firstMs = 500;
/** Longest accepted Retry-After. */
const maxRetryAfterMs = 60_000;
const retriedStatuses = new Set([429, 500, 502, 503, 504]);

/** Whether a retry may succeed: by the error code if known, otherwise by the status. */
export function isTransient({ status, code }: { status: number; code: string }): boolean {
  if (!retriedStatuses.has(status)) return false;
  return Object.hasOwn(errorCodes, code) ? errorCodes[code as keyof typeof errorCodes] : true;
}

/** Parses Retry-After (seconds or a date). Returns undefined if it is absent or invalid. */
export function parseRetryAfterMs(value: string | null): number | undefined {
  if (value === null) return undefined;
  const ms = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}

/** Parses Retry-After. Returns `NaN` if the delay is longer than the limit. */
export function readRetryAfterMs(value: string | null): number | undefined {
  const ms = parseRetryAfterMs(value);
  return ms !== undefined && ms > maxRetryAfterMs ? Number.NaN : ms;
}

/** Returns the delay after attempt `n` (from 0): Retry-After, or exponential backoff, with jitter. */
export function retryDelayMs(n: number, retryAfterMs?: number): number {
  if (retryAfterMs !== undefined) return retryAfterMs + Math.random() * 250;
  return firstMs * 2 ** n * (0.5 + Math.random());
}

/** Waits for `ms`. Throws the reason of the signal if it is aborted. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  await new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener('abort', end);
  });
  signal?.throwIfAborted();
}
