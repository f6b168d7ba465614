import { useState } from 'react';
import { useNow } from '../../../lib/browser/use-now.ts';
import { makeTimeLeft } from '../../../lib/format/time-left.ts';

const lookMs = 1_000;

/**
 * Seconds that a phase will still take, once that is known; `percent` undefined: not under way. Give each phase a
 * component of its own, so that it starts anew.
 */
export function useTimeLeft(percent: number | undefined): number | undefined {
  const [timeLeft] = useState(makeTimeLeft);
  const now = useNow(lookMs);
  return percent === undefined || percent >= 100 ? undefined : timeLeft.tell(percent / 100, now);
}
