import * as z from 'zod';

/**
 * Public statistics of the last days, rounded down to two significant digits. Values too small to be anonymous are
 * omitted.
 */
export const publicStatsSchema = z.object({
  days: z.int(),
  imagesMade: z.int().optional(),
  megapixelsMade: z.int().optional(),
  /** From start to delivery, milliseconds. */
  medianProcessingTime: z.int().optional(),
});
export type PublicStats = z.infer<typeof publicStatsSchema>;

/** `floor`: smaller values are omitted. */
export const publicStatsRules = { days: 30, floor: { images: 1_000, megapixels: 1_000 }, cachedMs: 60_000 } as const;
