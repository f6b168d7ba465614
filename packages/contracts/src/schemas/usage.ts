import * as z from 'zod';

export const usageDays = { default: 30, max: 366 } as const;

/** One day (UTC) of an account. All but `failed` count delivered images, on the day of their delivery. */
export const usageDaySchema = z.object({
  day: z.iso.date(),
  completed: z.int(),
  failed: z.int(),
  web: z.int(),
  api: z.int(),
  ai: z.int(),
  standard: z.int(),
  /** From start to delivery, milliseconds; null where none was delivered. */
  avgProcessingTime: z.number().nullable(),
});
export type UsageDay = z.infer<typeof usageDaySchema>;

/** Both days are included; without them it is the last 30 days. */
export const usageQuerySchema = z.object({ from: z.iso.date().optional(), to: z.iso.date().optional() });
export type UsageQuery = z.infer<typeof usageQuerySchema>;
