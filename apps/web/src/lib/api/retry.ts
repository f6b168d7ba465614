import { ApiError } from '@uprez/client/api-error';
import { errorCodes, isErrorCode } from '@uprez/contracts/errors/error-codes';
import pRetry from 'p-retry';

const maxDelayMs = 30_000;
/**
 * Maximum `Retry-After` to wait for. A longer time comes from an hourly or daily limit, and the error is shown to the
 * user instead.
 */
const maxRetryAfterMs = 60_000;

type RetryOptions = {
  signal?: AbortSignal;
  /** Maximum number of attempts with a retryable error response. Attempts without any response don't count. */
  attempts?: number;
  onRetry?: () => void;
};

/**
 * Returns the milliseconds before the next attempt: `Retry-After`, or exponential backoff of up to 30 s. Returns
 * undefined for a final error, such as one with a `Retry-After` of more than a minute.
 */
export function retryDelayMs(error: unknown, attempt: number): number | undefined {
  const backoffMs = Math.min(maxDelayMs, 1_000 * 2 ** (attempt - 1));
  if (!(error instanceof ApiError)) return backoffMs;
  const { code, meta, status } = error;
  const isRetryable = code && isErrorCode(code) ? errorCodes[code].retry : status >= 500;
  if (!isRetryable) return undefined;
  if (typeof meta?.retryAfterS !== 'number') return backoffMs;
  const retryAfterMs = meta.retryAfterS * 1_000;
  return retryAfterMs <= maxRetryAfterMs ? retryAfterMs : undefined;
}

/** Resolves after `ms`, or as soon as the browser is online again. Rejects with the signal's reason. */
function delay(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const settled = new AbortController();
    const settle = (finish: () => void) => {
      settled.abort();
      clearTimeout(timer);
      finish();
    };
    const timer = setTimeout(() => settle(resolve), ms);
    window.addEventListener('online', () => settle(resolve), { signal: settled.signal });
    signal?.addEventListener('abort', () => settle(() => reject(signal.reason)), { signal: settled.signal });
  });
}

/**
 * Calls the server until it gives a final response. Retries indefinitely while the server can't be reached. After
 * retryable error responses, makes at most `attempts` attempts. Throws the final error, or the signal's reason.
 */
export function retry<T>(call: () => Promise<T>, { signal, attempts = 8, onRetry }: RetryOptions = {}): Promise<T> {
  let responses = 0;
  return pRetry(call, {
    ...(signal && { signal }),
    retries: Number.POSITIVE_INFINITY,
    minTimeout: 0,
    shouldRetry: async ({ error, attemptNumber }) => {
      signal?.throwIfAborted();
      if (error instanceof ApiError) responses += 1;
      const delayMs = retryDelayMs(error, attemptNumber);
      if (delayMs === undefined || responses >= attempts) return false;
      onRetry?.();
      await delay(delayMs, signal);
      return true;
    },
  });
}
