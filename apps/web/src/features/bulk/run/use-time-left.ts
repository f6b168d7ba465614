import { useEffect, useRef, useState } from 'react';
import { makeTimeLeft } from '../../../lib/format/time-left.ts';

const everyMs = 1_000;

/** Seconds left of a run, updated every second; undefined while unknown. */
export function useTimeLeft(share: number, running: boolean): number | undefined {
  const latest = useRef(share);
  latest.current = share;
  const [seconds, setSeconds] = useState<number>();
  useEffect(() => {
    setSeconds(undefined);
    if (!running) return;
    const { tell } = makeTimeLeft();
    const timer = setInterval(() => setSeconds(tell(latest.current, performance.now())), everyMs);
    return () => clearInterval(timer);
  }, [running]);
  return seconds;
}
