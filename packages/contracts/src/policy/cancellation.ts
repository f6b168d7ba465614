import { limits } from './limits.ts';

/** Seconds of the current attempt for which canceling a job is free. */
export const freeCancelSeconds = (estimatedSeconds: number): number =>
  Math.max(limits.freeCancelSeconds, (limits.freeCancelPercent / 100) * estimatedSeconds);
