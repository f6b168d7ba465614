/** Settles as `work` does, or rejects with the signal's reason as soon as it aborts. `work` itself is not stopped. */
export function raceSignal<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work;
  return new Promise<T>((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    const forget = () => signal.removeEventListener('abort', onAbort);
    void work.then(resolve, reject).finally(forget);
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
  });
}
