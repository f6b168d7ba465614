import { setTimeout } from 'node:timers/promises';

/**
 * Returns a function that resolves when the next request may start. At most `perSecond` requests start per second,
 * evenly spaced.
 */
export function openPace(perSecond: number): () => Promise<void> {
  const gapMs = 1_000 / perSecond;
  let nextMs = 0;
  return async () => {
    const nowMs = performance.now();
    const startMs = Math.max(nowMs, nextMs);
    nextMs = startMs + gapMs;
    if (startMs > nowMs) await setTimeout(startMs - nowMs);
  };
}
