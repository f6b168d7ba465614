import { useState } from 'react';
import { useNow } from '../../../lib/browser/use-now.ts';
import { makeTimeLeft } from '../../../lib/format/time-left.ts';

const lookMs = 1_000;

/**
 * Seconds left of a phase; undefined while unknown or inactive. Each phase needs a component of its own, to start over.
 */
export function useTimeLeft(percent: number | undefined): number | undefined {
  const [timeLeft] = useState(makeTimeLeft);
  const now = useNow(lookMs);
  return percent === undefined || percent >= 100 ? undefined : timeLeft.tell(percent / 100, now);
}
