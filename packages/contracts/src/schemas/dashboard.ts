import * as z from 'zod';
import { jobStatuses } from '../policy/job-status.ts';
import { meters } from '../policy/meters.ts';
import { tiers } from '../policy/plans.ts';

/** A card's number now and in the previous equal period, and by how much it changed, percent. */
const trendSchema = z.object({ current: z.number(), previous: z.number(), change: z.number() });
export type Trend = z.infer<typeof trendSchema>;

const activitySchema = z.object({
  id: z.uuid(),
  filename: z.string(),
  status: z.enum(jobStatuses),
  scaleFactor: z.number(),
  createdAt: z.iso.datetime(),
  /** Needs the cookie; null: there is none (any more). */
  thumbnailPath: z.string().nullable(),
});

/** What is left of the plan and of what was granted besides. */
const quotaSchema = z.object({
  meter: z.enum(meters),
  included: z.int(),
  granted: z.int(),
  used: z.int(),
  left: z.int(),
  resetsAt: z.iso.datetime(),
});

/** What an account sees of itself. Counters are of this calendar month (UTC); delivered images count, previews do not. */
export const dashboardSchema = z.object({
  subscriptionTier: z.enum(tiers),
  /** Images made on the web. */
  imagesProcessed: z.int(),
  /** Images made through the API. */
  apiCalls: z.int(),
  /** From start to delivery, milliseconds; null: none was made yet. */
  avgProcessingTime: z.number().nullable(),
  /** Bytes stored for the account now, and how many its plan has room for. */
  storageUsed: z.int(),
  storageLimit: z.int(),
  /** The newest first. */
  recentActivity: z.array(activitySchema),
  /**
   * Against the stretch of the same length that ended when this month began. Absent: nothing to compare with, as where
   * the account is younger than that stretch. What was stored then is not known, so storage has none.
   */
  trends: z.object({
    imagesProcessed: trendSchema.optional(),
    apiCalls: trendSchema.optional(),
    avgProcessingTime: trendSchema.optional(),
  }),
  quota: z.array(quotaSchema),
  /** When a meter is used up at the pace of its period; absent where it lasts, or where the period is too young to tell. */
  forecast: z.array(z.object({ meter: z.enum(meters), endsAt: z.iso.datetime() })),
});
export type Dashboard = z.infer<typeof dashboardSchema>;
