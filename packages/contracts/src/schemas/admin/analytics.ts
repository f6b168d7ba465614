import * as z from 'zod';
import { analyticsPeriods, analyticsTables } from '../../policy/admin/analytics.ts';
import { exportFormats } from '../../policy/admin/tables.ts';
import { tiers } from '../../policy/plans/plans.ts';

const period = z.enum(analyticsPeriods).optional();
export const analyticsQuerySchema = z.object({ period });
export const analyticsExportSchema = z.object({
  period,
  table: z.enum(analyticsTables),
  format: z.enum(exportFormats).optional(),
});

const count = z.int();
/**
 * Value for the period, and for the preceding period of the same length. Null if there is no data to compute it from.
 */
const metric = z.object({ value: z.number().nullable(), previous: z.number().nullable() });
export type Metric = z.infer<typeof metric>;
const day = z.iso.date();

/**
 * First and last days (UTC) of the period and of the preceding period, both inclusive. `missing`: days that haven't
 * been rolled up yet, so the numbers are incomplete.
 */
const spanFields = {
  period: z.enum(analyticsPeriods),
  from: day,
  to: day,
  previousFrom: day,
  previousTo: day,
  missing: z.object({ from: day, to: day }).nullable(),
};
export type AnalyticsSpan = z.infer<z.ZodObject<typeof spanFields>>;

export const analyticsDaySchema = z.object({
  day,
  images: count,
  webImages: count,
  apiImages: count,
  failed: count,
  users: count,
  newUsers: count,
  verifiedUsers: count,
  deletedUsers: count,
  activeUsers: count,
});
export type AnalyticsDay = z.infer<typeof analyticsDaySchema>;

/**
 * Activity of the accounts that signed up in the month `cohort`. `active`: accounts with a delivered image in `month`.
 * `paying`: accounts that were paying in `month`, or null if MRR wasn't booked in that month.
 */
export const cohortSchema = z.object({
  cohort: day,
  month: day,
  accounts: count,
  active: count,
  paying: count.nullable(),
});
export type Cohort = z.infer<typeof cohortSchema>;

/** Amounts are in US dollars without tax. `mrr` and `accounts`: values at the end of the day. */
export const revenueDaySchema = z.object({
  day,
  gross: z.number(),
  refunds: z.number(),
  mrr: z.number(),
  accounts: count,
  newMrr: z.number(),
  expansion: z.number(),
  reactivation: z.number(),
  contraction: z.number(),
  churn: z.number(),
});
export type RevenueDay = z.infer<typeof revenueDaySchema>;

/**
 * Revenue from a plan, or from packs. `accounts` and `mrr`: current paying accounts and MRR. `revenue`: amounts
 * received in the period, less refunds.
 */
export const planRevenueSchema = z.object({
  plan: z.enum([...tiers, 'pack']),
  accounts: count,
  mrr: z.number(),
  revenue: z.number(),
});
export type PlanRevenue = z.infer<typeof planRevenueSchema>;

const revenueSchema = z.object({
  /** Amounts received in the period, less refunds. */
  received: metric,
  mrr: metric,
  /** `end` = `start` + `new` + `expansion` + `reactivation` - `contraction` - `churn`. */
  movements: z.object({
    start: z.number(),
    new: z.number(),
    expansion: z.number(),
    reactivation: z.number(),
    contraction: z.number(),
    churn: z.number(),
    end: z.number(),
  }),
  payingAccounts: metric,
  arpu: metric,
  /** Shares from 0 to 1. */
  accountChurn: metric,
  mrrChurn: metric,
  activeSubscriptions: count,
  plans: z.array(planRevenueSchema),
  days: z.array(revenueDaySchema),
});

/** Times are in milliseconds. Fields with amounts are absent for roles without access to revenue. */
export const analyticsSchema = z.object({
  ...spanFields,
  overview: z.object({
    totalUsers: count,
    /** Values of the current month (UTC). */
    monthlyRevenue: z.number().optional(),
    monthlyImages: count,
    /** Average for the period. */
    avgProcessingTime: z.number().nullable(),
    totalRevenue: z.number().optional(),
  }),
  images: metric,
  processingTime: z.object({ average: metric, median: metric, p95: metric }),
  users: z.object({
    total: metric,
    new: metric,
    verified: metric,
    deleted: metric,
    /** Average number of accounts per day with a delivered image. */
    active: metric,
  }),
  days: z.array(analyticsDaySchema),
  cohorts: z.array(cohortSchema),
  revenue: revenueSchema.optional(),
});
export type Analytics = z.infer<typeof analyticsSchema>;

const durationPercentiles = z.object({ p50: z.number().nullable(), p95: z.number().nullable() });

/**
 * Ended jobs of an engine. `engineMs`: processing time of all attempts, including failed ones. Costs are in US dollars.
 * They are null until an administrator enters `hourPrice`, and absent for roles without access to revenue.
 */
export const engineReportSchema = z.object({
  engine: z.string(),
  completed: count,
  failed: count,
  /** Completed / (completed + failed). */
  successShare: z.number().nullable(),
  wait: durationPercentiles,
  run: durationPercentiles,
  engineMs: z.number(),
  hourPrice: z.number().nullable().optional(),
  cost: z.number().nullable().optional(),
  costPerImage: z.number().nullable().optional(),
});
export type EngineReport = z.infer<typeof engineReportSchema>;

export const failureReportSchema = z.object({ code: z.string(), engine: z.string(), count, previous: count });
export type FailureReport = z.infer<typeof failureReportSchema>;

export const analyticsReportsSchema = z.object({
  ...spanFields,
  successShare: metric,
  wait: z.object({ p50: metric, p95: metric }),
  run: z.object({ p50: metric, p95: metric }),
  engineMs: metric,
  /** Costs of the engines with a price. Absent for roles without access to revenue. */
  cost: metric.optional(),
  costPerImage: metric.optional(),
  engines: z.array(engineReportSchema),
  failures: z.array(failureReportSchema),
});
export type AnalyticsReports = z.infer<typeof analyticsReportsSchema>;

export const usageRowSchema = z.object({
  plan: z.enum(tiers),
  surface: z.enum(['web', 'api']),
  images: count,
  previous: count,
  failed: count,
});
export type AnalyticsUsageRow = z.infer<typeof usageRowSchema>;

export const analyticsUsageSchema = z.object({
  ...spanFields,
  web: metric,
  api: metric,
  days: z.array(z.object({ day, web: count, api: count })),
  rows: z.array(usageRowSchema),
});
export type AnalyticsUsage = z.infer<typeof analyticsUsageSchema>;

export const topAccountSchema = z.object({
  id: z.string(),
  email: z.string(),
  name: z.string().nullable(),
  plan: z.enum(tiers),
  images: count,
  web: count,
  api: count,
  failed: count,
});
export type TopAccount = z.infer<typeof topAccountSchema>;
