import { useState } from 'react';
import { useNow } from '../browser/use-now.ts';

/** Minimum time before the first estimate of a task without an expected duration. */
const minElapsedMs = 3_000;
/** Share of a task's progress that must be measured before the planned seconds are ignored. */
const fullTrustShare = 0.25;

type ProgressSample = { done: number; at: number };
type Estimator = (done: number, nowMs: number, planned?: number) => number | undefined;

/**
 * Returns a function that estimates a task's remaining seconds from its progress (0-1), the current time in
 * milliseconds, and the planned seconds.
 *
 * - The planned seconds have less weight as progress grows.
 * - Progress increases in steps, such as the tiles of an image. Between steps, the estimate counts down.
 * - Falling progress restarts the estimate.
 * - Without planned seconds, returns undefined during the first three seconds and until progress has been made.
 */
export function createTimeEstimator(): Estimator {
  let first: ProgressSample | undefined;
  let last: ProgressSample | undefined;
  let smooth = createSmoother();
  return (done, nowMs, planned) => {
    if (!first || !last || done < last.done) {
      first = { done, at: nowMs };
      last = first;
      smooth = createSmoother();
    }
    if (done > last.done) last = { done, at: nowMs };
    const whole = estimateTotalSeconds(first, last, planned);
    if (whole === undefined || (planned === undefined && nowMs - first.at < minElapsedMs)) return undefined;
    const rest = (1 - done) * whole;
    return smooth(Math.max(rest - (nowMs - last.at) / 1_000, rest / 2), nowMs);
  };
}

function estimateTotalSeconds(
  first: ProgressSample,
  last: ProgressSample,
  planned: number | undefined,
): number | undefined {
  const share = last.done - first.done;
  if (share <= 0) return planned;
  const measured = (last.at - first.at) / 1_000 / share;
  const trust = planned === undefined ? 1 : Math.min(1, share / fullTrustShare);
  return (planned ?? 1) ** (1 - trust) * measured ** trust;
}

/**
 * Estimates a task's remaining seconds from its progress (0-1) and expected duration in seconds. Updates every second.
 * Returns undefined until an estimate is possible.
 */
export function useRemainingTime(done: number | undefined, planned?: number): number | undefined {
  const [estimate] = useState(createTimeEstimator);
  const now = useNow(1_000);
  return done === undefined ? undefined : estimate(done, now, planned);
}

/**
 * Maximum change to the displayed time per second, apart from the countdown itself: a share of the displayed time or a
 * number of seconds, whichever is larger.
 */
export const maxStep = { share: 0.05, seconds: 1.5 } as const;

/** Returns a function that smooths estimates of remaining seconds. `at`: the current time in milliseconds. */
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
