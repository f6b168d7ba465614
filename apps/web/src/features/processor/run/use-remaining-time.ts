import { useState } from 'react';
import { useNow } from '../../../lib/browser/use-now.ts';
import { createTimeEstimator } from '../../../lib/format/time-estimator.ts';

const lookMs = 1_000;

/**
 * Seconds left of a phase; undefined while unknown or inactive. Each phase needs a component of its own, to start over.
 */
export function useRemainingTime(percent: number | undefined): number | undefined {
  const [timeLeft] = useState(createTimeEstimator);
  const now = useNow(lookMs);
  return percent === undefined || percent >= 100 ? undefined : timeLeft.update(percent / 100, now);
}
