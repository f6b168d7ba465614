import * as z from 'zod';

/**
 * What anybody may know of the last days: rounded down to two digits, and absent where there is too little to tell
 * without telling of somebody.
 */
export const publicStatsSchema = z.object({
  days: z.int(),
  imagesMade: z.int().optional(),
  megapixelsMade: z.int().optional(),
  /** From start to delivery, milliseconds. */
  medianProcessingTime: z.int().optional(),
});
export type PublicStats = z.infer<typeof publicStatsSchema>;

/** `images`: fewer than this, and nothing is told; `megapixels`: likewise of that counter. */
export const publicStatsRules = { days: 30, floor: { images: 1_000, megapixels: 1_000 }, cachedMs: 60_000 } as const;
