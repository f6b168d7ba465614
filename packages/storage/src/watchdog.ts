export type Watchdog = {
  /** Aborts when nothing was touched for the limit, or when the outer signal does. */
  signal: AbortSignal;
  touch(): void;
  stop(): void;
};

/** Watches one operation: its signal aborts after `stallMs` without a `touch`, or with `outer`. Stop it when done. */
export function startWatchdog(stallMs: number, outer?: AbortSignal): Watchdog {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(new Error(`no progress for ${stallMs} ms`)), stallMs);
  const onOuter = () => controller.abort(outer?.reason);
  if (outer?.aborted) onOuter();
  outer?.addEventListener('abort', onOuter, { once: true });
  return {
    signal: controller.signal,
    touch: () => {
      timer.refresh();
    },
    stop: () => {
      clearTimeout(timer);
      outer?.removeEventListener('abort', onOuter);
    },
  };
}
