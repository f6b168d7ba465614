import { limits } from './limits.ts';

/** Returns for how many seconds of an attempt canceling a job is free. */
export const freeCancelSeconds = (estimatedSeconds: number): number =>
  Math.max(limits.freeCancelSeconds, (limits.freeCancelPercent / 100) * estimatedSeconds);
