import { useEffect, useRef, useState } from 'react';
import { createTimeEstimator } from '../../../lib/format/time-estimator.ts';

const everyMs = 1_000;

/** Seconds left of a run, updated every second; undefined while unknown. */
export function useRemainingTime(share: number, running: boolean): number | undefined {
  const latest = useRef(share);
  latest.current = share;
  const [seconds, setSeconds] = useState<number>();
  useEffect(() => {
    setSeconds(undefined);
    if (!running) return;
    const { update } = createTimeEstimator();
    const timer = setInterval(() => setSeconds(update(latest.current, performance.now())), everyMs);
    return () => clearInterval(timer);
  }, [running]);
  return seconds;
}
