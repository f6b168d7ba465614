export type Watchdog = {
  /** Aborts after `stallMs` without a call to `touch`, or when the outer signal aborts. */
  signal: AbortSignal;
  touch(): void;
};

type Limits = { stallMs?: number | undefined; signal?: AbortSignal | undefined };

/**
 * Settles like `work`, but rejects after `stallMs` without a call to `touch`. When the outer signal aborts, immediately
 * rejects with its reason. `work` continues unless it listens to the watchdog's signal.
 */
export async function withWatchdog<T>(
  { stallMs, signal: outer }: Limits,
  work: (watchdog: Watchdog) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const { signal } = controller;
  const aborted = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  const onStall = () => controller.abort(new Error(`no progress for ${stallMs} ms`));
  const timer = stallMs === undefined ? undefined : setTimeout(onStall, stallMs);
  const onOuter = () => controller.abort(outer?.reason);
  if (outer?.aborted) onOuter();
  outer?.addEventListener('abort', onOuter, { once: true });
  try {
    return await Promise.race([aborted, work({ signal, touch: () => void timer?.refresh() })]);
  } finally {
    clearTimeout(timer);
    outer?.removeEventListener('abort', onOuter);
  }
}
