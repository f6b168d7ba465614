import * as z from 'zod';

export const usageDays = { default: 30, max: 366 } as const;

/** Usage of one day (UTC). All counters but `failed` count images by the day of their delivery. */
export const usageDaySchema = z.object({
  day: z.iso.date(),
  completed: z.int(),
  failed: z.int(),
  web: z.int(),
  api: z.int(),
  ai: z.int(),
  standard: z.int(),
  /** From start to delivery, milliseconds; null: no image. */
  avgProcessingTime: z.number().nullable(),
});
export type UsageDay = z.infer<typeof usageDaySchema>;

/** Inclusive range; defaults to the last 30 days. */
export const usageQuerySchema = z.object({ from: z.iso.date().optional(), to: z.iso.date().optional() });
export type UsageQuery = z.infer<typeof usageQuerySchema>;
