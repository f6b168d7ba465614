import { useState } from 'react';
import { useNow } from '../browser/use-now.ts';
import { createSmoother } from './smooth-countdown.ts';

/** Time before the first estimate of a task without a plan. */
const quietMs = 3_000;
/** Progress from which on the plan no longer counts. */
const knownShare = 0.25;

type Moment = { done: number; at: number };
type Estimator = (done: number, nowMs: number, planned?: number) => number | undefined;

/**
 * Estimates the remaining seconds of a task from its progress (0-1) at a time in milliseconds, and from its planned seconds,
 * which count less and less. Progress comes in steps, such as tiles of an image: between them, the time counts down. Progress
 * that falls starts the task again. Without a plan, there is no estimate in the first three seconds or without progress.
 */
export function createTimeEstimator(): Estimator {
  let first: Moment | undefined;
  let last: Moment | undefined;
  let smooth = createSmoother();
  return (done, nowMs, planned) => {
    if (!first || !last || done < last.done) {
      first = { done, at: nowMs };
      last = first;
      smooth = createSmoother();
    }
    if (done > last.done) last = { done, at: nowMs };
    const whole = wholeSeconds(first, last, planned);
    if (whole === undefined || (planned === undefined && nowMs - first.at < quietMs)) return undefined;
    const rest = (1 - done) * whole;
    return smooth(Math.max(rest - (nowMs - last.at) / 1_000, rest / 2), nowMs);
  };
}

function wholeSeconds(first: Moment, last: Moment, planned: number | undefined): number | undefined {
  const share = last.done - first.done;
  if (share <= 0) return planned;
  const measured = (last.at - first.at) / 1_000 / share;
  const trust = planned === undefined ? 1 : Math.min(1, share / knownShare);
  return (planned ?? 1) ** (1 - trust) * measured ** trust;
}

/** Seconds left of a task from its progress (0-1) and its planned seconds, updated every second; undefined while unknown. */
export function useRemainingTime(done: number | undefined, planned?: number): number | undefined {
  const [estimate] = useState(createTimeEstimator);
  const now = useNow(1_000);
  return done === undefined ? undefined : estimate(done, now, planned);
}
