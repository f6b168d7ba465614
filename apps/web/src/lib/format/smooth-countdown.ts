/**
 * Maximum correction of the estimate per second, in addition to the elapsed time: a share of the estimate or a number
 * of seconds, whichever is larger.
 */
export const maxStep = { share: 0.05, seconds: 1.5 } as const;

/**
 * Returns a function that smooths estimates of remaining seconds: the returned value counts down with the time and
 * approaches the estimate in small steps, so that it never jumps. `at`: the current time in milliseconds.
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
