/** Largest correction of the estimate in one second, in addition to the time that has passed: share, and seconds. */
export const maxStep = { share: 0.05, seconds: 1.5 } as const;

/**
 * Smooths estimates of remaining seconds: the returned value counts down with the time and approaches the estimate in small
 * steps, so that it never jumps. `at` is milliseconds.
 */
export function createSmoother() {
  let last: { seconds: number; at: number } | undefined;
  return (raw: number, at: number): number => {
    if (last === undefined) last = { seconds: raw, at };
    const passed = (at - last.at) / 1_000;
    const expected = Math.max(0, last.seconds - passed);
    const step = passed * Math.max(maxStep.seconds, maxStep.share * last.seconds);
    const seconds = Math.max(0, expected + Math.min(step, Math.max(-step, raw - expected)));
    last = { seconds, at };
    return seconds;
  };
}
