import { ApiError } from '@uprez/client/api-error';
import { errorCodes, isErrorCode } from '@uprez/contracts/errors/error-codes';

const longestPauseMs = 30_000;

type Patience = {
  signal: AbortSignal;
  /** Tries with an answer that says "later"; those without any answer are not counted. */
  tries?: number;
  /** Told before each pause. */
  onPause?: () => void;
};

/** Milliseconds before another try; undefined: the answer is final. */
export function pauseAfter(error: unknown, failures: number): number | undefined {
  const growing = Math.min(longestPauseMs, 1_000 * 2 ** (failures - 1));
  if (!(error instanceof ApiError)) return growing;
  const { code, meta, status } = error;
  const mayRetry = code && isErrorCode(code) ? errorCodes[code].retry : status >= 500;
  if (!mayRetry) return undefined;
  return typeof meta?.retryAfterS === 'number' ? meta.retryAfterS * 1_000 : growing;
}

/** Over after `ms`, or as soon as the line is back. Throws the signal's reason. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = new AbortController();
    const finish = (settle: () => void) => {
      end.abort();
      clearTimeout(timer);
      settle();
    };
    const timer = setTimeout(() => finish(resolve), ms);
    window.addEventListener('online', () => finish(resolve), { signal: end.signal });
    signal.addEventListener('abort', () => finish(() => reject(signal.reason)), { signal: end.signal });
  });
}

/**
 * Call until there is a final answer: without a connection for as long as it takes, after "too many" and "not now" when
 * the server says. Throws the final error, or the signal's reason.
 */
export async function patiently<T>(call: () => Promise<T>, { signal, tries = 8, onPause }: Patience): Promise<T> {
  let answers = 0;
  for (let failures = 1; ; failures += 1) {
    try {
      signal.throwIfAborted();
      return await call();
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      if (error instanceof ApiError) answers += 1;
      const pauseMs = pauseAfter(error, failures);
      if (pauseMs === undefined || answers >= tries) throw error;
      onPause?.();
      await pause(pauseMs, signal);
    }
  }
}
