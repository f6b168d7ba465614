import { isDatabaseUnavailable } from '@uprez/db/database-errors';
import pRetry from 'p-retry';

const pauseMs = 250;

export type RetryOptions = { maxMs: number; signal?: AbortSignal };

/** Retries every 250 ms while PostgreSQL is unavailable, for at most `maxMs` or until the signal aborts. */
export const retryDatabase = <T>(work: () => Promise<T>, { maxMs, signal }: RetryOptions): Promise<T> =>
  pRetry(work, {
    retries: Number.POSITIVE_INFINITY,
    ...{ factor: 1, minTimeout: pauseMs, maxRetryTime: maxMs },
    // p-retry's own `signal` option would drop the result of an attempt that succeeds after the abort.
    shouldRetry: ({ error }) => isDatabaseUnavailable(error) && !signal?.aborted,
  });
