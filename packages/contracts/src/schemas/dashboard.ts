import * as z from 'zod';
import { meters } from '../policy/plans/meters.ts';
import { tiers } from '../policy/plans/plans.ts';
import { keyKinds } from '../policy/sandbox.ts';
import { dayFields } from './admin/table.ts';
import { keyScopes } from './api-keys.ts';
import { jobSchema } from './jobs/job.ts';

/** A value in the current and the previous period. `change`: change between the periods, as a percentage. */
const trendSchema = z.object({ current: z.number(), previous: z.number(), change: z.number() });
export type Trend = z.infer<typeof trendSchema>;

/** `thumbnailPath` can only be requested with the session cookie. Null if the job has no thumbnail. */
const activitySchema = jobSchema
  .pick({ id: true, filename: true, status: true, scaleFactor: true, createdAt: true })
  .extend({ thumbnailPath: z.string().nullable() });

/** Usage of a meter, including credits granted in addition to the plan. */
const quotaSchema = z.object({
  meter: z.enum(meters).describe('Quota: `ai`, `standard`, or `shared` for both.'),
  included: z.int().describe('Credits included in your plan.'),
  granted: z.int().describe('Credits granted in addition to the plan.'),
  used: z.int().describe('Credits used in this period.'),
  left: z.int().describe('Credits left.'),
  resetsAt: z.iso.datetime().describe('Time at which the quota resets.'),
});

/** Statistics of an account. Counters cover images delivered this calendar month (UTC), excluding previews. */
export const dashboardSchema = z.object({
  subscriptionTier: z.enum(tiers),
  /** Version of the plan that was bought. Null if it is the current version. */
  planVersion: z.int().nullable(),
  /** Images processed in the web app. */
  imagesProcessed: z.int(),
  /** Images processed through the API. */
  apiCalls: z.int(),
  /** Average processing time in milliseconds, excluding queueing and pauses. Null if no images were delivered. */
  avgProcessingTime: z.number().nullable(),
  /** Stored bytes, and the plan's storage limit in bytes. */
  storageUsed: z.int(),
  storageLimit: z.int(),
  /** Most recent jobs, newest first. */
  recentActivity: z.array(activitySchema),
  /**
   * Changes compared with the period of the same length before this month. A trend is absent if the account is younger
   * than that period, or if the previous value is 0 or missing.
   */
  trends: z.object({
    imagesProcessed: trendSchema.optional(),
    apiCalls: trendSchema.optional(),
    avgProcessingTime: trendSchema.optional(),
  }),
  quota: z.array(quotaSchema),
  /**
   * When the quota of a meter runs out at the current rate. A meter is absent if its quota lasts until the reset, if it
   * is already used up, or if the period has just started.
   */
  forecast: z.array(z.object({ meter: z.enum(meters), endsAt: z.iso.datetime() })),
});
export type Dashboard = z.infer<typeof dashboardSchema>;

export const usageDays = { default: 30, max: 366 } as const;

/** Usage on one day (UTC). Except for `failed`, counters count images on the day they were delivered. */
export const usageDaySchema = z.object({
  day: z.iso.date(),
  completed: z.int(),
  failed: z.int(),
  web: z.int(),
  api: z.int(),
  ai: z.int(),
  standard: z.int(),
  /** Average time from start to delivery, in milliseconds. Null if no images were delivered. */
  avgProcessingTime: z.number().nullable(),
});
export type UsageDay = z.infer<typeof usageDaySchema>;

/** Defaults to the last 30 days. */
export const usageQuerySchema = z.object(dayFields);
export type UsageQuery = z.infer<typeof usageQuerySchema>;

/**
 * Public statistics of the last `days` days. Counters and times are rounded down to two significant digits. Values too
 * small to be anonymous are omitted.
 */
export const publicStatsSchema = z.object({
  days: z.int(),
  imagesMade: z.int().optional(),
  megapixelsMade: z.int().optional(),
  /** Median time from start to delivery, in milliseconds. */
  medianProcessingTime: z.int().optional(),
  /**
   * Proportion of time for which the services were up, from 0 to 1. Absent if fewer than `days` days have been
   * observed, or if probes cover too little of that time.
   */
  uptime: z.number().optional(),
});
export type PublicStats = z.infer<typeof publicStatsSchema>;

/** `floor`: minimum values. Smaller values are omitted. */
export const publicStatsRules = { days: 30, floor: { images: 1_000, megapixels: 1_000 }, cachedMs: 60_000 } as const;

/** Response of `GET /v1/account`, in camelCase. */
export const accountSchema = z.object({
  plan: z
    .object({ key: z.enum(tiers).describe('ID of the plan.'), name: z.string().describe('Name of the plan.') })
    .describe('Your plan.'),
  callsPerMinute: z.int().describe('Maximum number of processing requests per minute.'),
  hardStop: z.boolean().describe('Whether processing stops when no credits are left.'),
  quota: z.array(quotaSchema).describe('Your quotas.'),
  key: z
    .object({
      id: z.uuid().describe('ID of the API key.'),
      name: z.string().describe('Name of the API key.'),
      kind: z.enum(keyKinds).describe('`test` keys use the sandbox.'),
      scopes: z.array(z.enum(keyScopes)).describe('Permissions of the API key.'),
      expiresAt: z.iso.datetime().nullable().describe('Time at which the API key expires.'),
      monthlyCap: z.int().nullable().describe('Monthly credit limit of the API key.'),
      unitsThisMonth: z.int().describe('Credits that the API key used this month.'),
    })
    .describe('The API key of the request.'),
});
export type Account = z.infer<typeof accountSchema>;
