import { useState } from 'react';
import { useNow } from '../browser/use-now.ts';

/** Time before the first estimate, and time constant of the average. */
const quietMs = 3_000;
const spanMs = 8_000;

/**
 * Estimates the remaining seconds of a task from its progress (0-1) at a time in milliseconds. The pace is an
 * exponentially weighted average, so one slow step does not make the estimate jump. There is no estimate in the first
 * three seconds or without progress.
 */
export function createTimeEstimator(): (done: number, nowMs: number) => number | undefined {
  let first: { done: number; at: number } | undefined;
  let last: { done: number; at: number } | undefined;
  let pace: number | undefined;
  const learn = (done: number, at: number) => {
    if (!last || at <= last.at) return;
    const current = Math.max(0, (done - last.done) / (at - last.at));
    const weight = 1 - Math.exp(-(at - last.at) / spanMs);
    pace = pace === undefined ? current : pace + weight * (current - pace);
  };
  return (done, nowMs) => {
    first ??= { done, at: nowMs };
    learn(done, nowMs);
    if (!last || nowMs > last.at) last = { done, at: nowMs };
    if (nowMs - first.at < quietMs || !pace) return undefined;
    return Math.max(0, (1 - done) / pace / 1_000);
  };
}

/** Seconds left of a task from its progress (0-1), updated every second; undefined while unknown. */
export function useRemainingTime(done: number | undefined): number | undefined {
  const [estimate] = useState(createTimeEstimator);
  const now = useNow(1_000);
  return done === undefined ? undefined : estimate(done, now);
}
