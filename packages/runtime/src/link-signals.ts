/**
 * Returns a signal that aborts when the first of `sources` aborts, unless it has been released.
 *
 * In Node.js (up to at least 24.22), `AbortSignal.any` makes each source keep a reference to every derived signal. A
 * source that lives as long as a service would grow with every job.
 */
export function linkSignals(...sources: readonly AbortSignal[]): { signal: AbortSignal; release: () => void } {
  const controller = new AbortController();
  const listeners = sources.map((source) => {
    const abort = () => controller.abort(source.reason);
    if (source.aborted) abort();
    source.addEventListener('abort', abort, { once: true });
    return () => source.removeEventListener('abort', abort);
  });
  return {
    signal: controller.signal,
    release: () => {
      for (const remove of listeners) remove();
    },
  };
}
