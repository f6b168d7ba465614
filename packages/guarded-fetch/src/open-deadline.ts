type Deadline = { signal: AbortSignal; restart: () => void; close: () => void };

/**
 * Creates a signal that aborts when `outer` aborts, or with a `TimeoutError` after `timeoutMs`. `restart`: restarts the
 * timeout.
 */
export function openDeadline(timeoutMs: number, outer?: AbortSignal): Deadline {
  const controller = new AbortController();
  const late = () => controller.abort(new DOMException('too slow', 'TimeoutError'));
  const timer = setTimeout(late, timeoutMs);
  const follow = () => controller.abort(outer?.reason);
  if (outer?.aborted) follow();
  outer?.addEventListener('abort', follow, { once: true });
  return {
    signal: controller.signal,
    restart: () => void timer.refresh(),
    close: () => {
      clearTimeout(timer);
      outer?.removeEventListener('abort', follow);
    },
  };
}

/** Settles like the promise, but rejects with the signal's reason as soon as the signal aborts. */
export function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
