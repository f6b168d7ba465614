import * as z from 'zod';
import { meters } from '../policy/plans/meters.ts';
import { tiers } from '../policy/plans/plans.ts';
import { keyKinds } from '../policy/sandbox.ts';
import { dayFields } from './admin/table.ts';
import { keyScopes } from './api-keys.ts';
import { jobSchema } from './jobs/job.ts';

/** A value in the current and the previous period, and its change in percent. */
const trendSchema = z.object({ current: z.number(), previous: z.number(), change: z.number() });
export type Trend = z.infer<typeof trendSchema>;

/** `thumbnailPath` requires the session cookie; null: no thumbnail. */
const activitySchema = jobSchema
  .pick({ id: true, filename: true, status: true, scaleFactor: true, createdAt: true })
  .extend({ thumbnailPath: z.string().nullable() });

/** Quota on one meter, from the plan and from grants. */
const quotaSchema = z.object({
  meter: z.enum(meters).describe('Quota: `ai`, `standard`, or `shared` for both.'),
  included: z.int().describe('Credits included in your plan.'),
  granted: z.int().describe('Credits granted in addition to the plan.'),
  used: z.int().describe('Credits used in this period.'),
  left: z.int().describe('Credits left.'),
  resetsAt: z.iso.datetime().describe('Time at which the quota resets.'),
});

/** Statistics of an account. Counters cover delivered images of this calendar month (UTC), without previews. */
export const dashboardSchema = z.object({
  subscriptionTier: z.enum(tiers),
  /** The version of the plan that was bought; null: the current one. */
  planVersion: z.int().nullable(),
  /** Images processed in the web app. */
  imagesProcessed: z.int(),
  /** Images processed through the API. */
  apiCalls: z.int(),
  /** Processing, without the wait in the queue and pauses, milliseconds; null: no image yet. */
  avgProcessingTime: z.number().nullable(),
  /** Bytes stored, and the limit of the plan. */
  storageUsed: z.int(),
  storageLimit: z.int(),
  /** Newest first. */
  recentActivity: z.array(activitySchema),
  /** Compared with the period of the same length before this month. Absent if the account is younger than that period. */
  trends: z.object({
    imagesProcessed: trendSchema.optional(),
    apiCalls: trendSchema.optional(),
    avgProcessingTime: trendSchema.optional(),
  }),
  quota: z.array(quotaSchema),
  /** When the quota of a meter runs out at the current rate. Absent if it lasts or the period has just started. */
  forecast: z.array(z.object({ meter: z.enum(meters), endsAt: z.iso.datetime() })),
});
export type Dashboard = z.infer<typeof dashboardSchema>;

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
export const usageQuerySchema = z.object(dayFields);
export type UsageQuery = z.infer<typeof usageQuerySchema>;

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
  /** The share of the time in which the services were up, from 0 to 1. Absent until as many days were observed. */
  uptime: z.number().optional(),
});
export type PublicStats = z.infer<typeof publicStatsSchema>;

/** `floor`: smaller values are omitted. */
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
