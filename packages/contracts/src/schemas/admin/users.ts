import * as z from 'zod';
import { roles } from '../../policy/admin/permissions.ts';
import { jobStatuses } from '../../policy/job-status.ts';
import { limits } from '../../policy/limits.ts';
import { tiers } from '../../policy/plans/plans.ts';
import { jobEngineSchema } from '../../recipe/engine-schemas.ts';
import { sessionSchema } from '../account.ts';
import { apiKeySchema } from '../api-keys.ts';
import { dashboardSchema } from '../dashboard.ts';
import { jobErrorSchema } from '../jobs/job.ts';
import { timeSchema } from '../time.ts';
import { lineSchema, requiredLineSchema, userSchema } from '../user.ts';
import { makeExportFields, makeFilterFields, tablePageFields } from './table.ts';

/** Amounts in US dollars. */
export const adminStatsSchema = z.object({
  totalUsers: z.int(),
  /** Stripe subscriptions that are active or past due. */
  activeSubscriptions: z.int(),
  /**
   * Payments minus refunds and lost disputes, in total and for the current month (UTC). Absent for roles without access
   * to revenue.
   */
  totalRevenue: z.number().optional(),
  monthlyRevenue: z.number().optional(),
  /**
   * Monthly price of all active and past due subscriptions that aren't paused, minus discounts that never end. Absent
   * for roles without access to revenue.
   */
  mrr: z.number().optional(),
});
export type AdminStats = z.infer<typeof adminStatsSchema>;

/** Counts of items that need an administrator's attention. Null for items that the role has no access to. */
export const attentionSchema = z.object({
  anomalies: z.int().nullable(),
  /** Emails that failed permanently in the last day, and emails that have been waiting for more than 15 minutes. */
  mails: z.object({ failed: z.int(), overdue: z.int() }).nullable(),
  /**
   * Webhook endpoints that have been failing for an hour, and endpoints that were disabled in the last 7 days because
   * deliveries failed.
   */
  webhooks: z.object({ failing: z.int(), disabled: z.int() }).nullable(),
  /** Stuck jobs, and jobs that failed with a processing error in the last 24 hours. */
  jobs: z.object({ stuck: z.int(), dead: z.int() }).nullable(),
  /** Tickets that are waiting for a reply, and how many of them are overdue. */
  tickets: z.object({ open: z.int(), overdue: z.int() }).nullable(),
});
export type AttentionCounts = z.infer<typeof attentionSchema>;

export const adminUserSchema = userSchema.extend({
  suspendedAt: z.iso.datetime().nullable(),
  suspendedReason: z.string().nullable(),
  lastSeenAt: z.iso.datetime().nullable(),
  /** When a plan set by an administrator ends and the previous plan is restored. Null if it doesn't end. */
  subscriptionEndsAt: z.iso.datetime().nullable(),
  subscriptionReason: z.string().nullable(),
  /**
   * Plan of the billed subscription, even while a plan set by an administrator replaces it. Null if no subscription is
   * billed.
   */
  billedTier: z.enum(tiers).nullable(),
  /** When the billed subscription ends, if it was canceled. */
  billedUntil: z.iso.datetime().nullable(),
});
export type AdminUser = z.infer<typeof adminUserSchema>;

const usersFilter = {
  /** Matches part of the email address, username, or name, or the whole ID. */
  search: lineSchema.max(limits.emailLength).optional(),
  ...makeFilterFields('users'),
};
export const adminUsersQuerySchema = z.object({ ...usersFilter, ...tablePageFields });
export const adminUsersExportSchema = z.object({ ...usersFilter, ...makeExportFields('users') });

const reason = lineSchema.max(500);
/**
 * `expected`: whether the user was suspended when the caller last read it. Prevents overwriting another administrator's
 * change.
 */
export const adminUserBodySchema = z.strictObject({
  suspended: z.boolean(),
  expected: z.boolean(),
  reason: reason.optional(),
});
export const adminReasonBodySchema = z.strictObject({ reason: reason.optional() });
/** The reason is required, because it is kept in the audit log. */
export const adminViewBodySchema = z.strictObject({ reason: requiredLineSchema('Enter a reason.').max(500) });
export const adminTierBodySchema = z.strictObject({
  subscriptionTier: z.enum(tiers),
  reason: reason.optional(),
  /** When the previous tier is restored. */
  endsAt: timeSchema.optional(),
  /** Values that the caller saw. Prevents overwriting another administrator's change. */
  expected: z
    .strictObject({ subscriptionTier: z.enum(tiers), subscriptionEndsAt: z.iso.datetime().nullable() })
    .optional(),
});

const role = z.enum(roles).nullable();
/** `expected`: role that the caller saw. Prevents overwriting another administrator's change. */
export const adminRoleBodySchema = z.strictObject({ role, expected: role, reason: reason.optional() });

/**
 * Notices shown on every administration page: whether the site is in maintenance mode, and maintenance that is
 * announced or in progress.
 */
export const adminNoticesSchema = z.object({
  maintenanceMode: z.boolean(),
  maintenance: z.array(
    z.object({
      id: z.uuid(),
      title: z.string(),
      hasStarted: z.boolean(),
      startsAt: z.iso.datetime(),
      endsAt: z.iso.datetime().nullable(),
    }),
  ),
});
export type AdminNotices = z.infer<typeof adminNoticesSchema>;

export const adminUserUsageSchema = z.object({
  quota: dashboardSchema.shape.quota,
  storageUsed: dashboardSchema.shape.storageUsed,
  storageLimit: dashboardSchema.shape.storageLimit,
  /** Images in the last 90 days, and how many of them failed. */
  jobs: z.int(),
  failedJobs: z.int(),
  /** Images in the last 90 days that were rejected before a job was created. */
  rejectedImages: z.int(),
  /** API keys that haven't expired, and sessions that haven't ended. */
  apiKeys: z.int(),
  sessions: z.int(),
  /** When the user can sign in again after too many failed attempts. Null if the account isn't locked. */
  lockedUntil: z.iso.datetime().nullable(),
});
export type AdminUserUsage = z.infer<typeof adminUserUsageSchema>;

export const adminUserJobSchema = z.object({
  id: z.uuid(),
  filename: z.string(),
  status: z.enum(jobStatuses),
  surface: z.enum(['web', 'api']),
  engine: jobEngineSchema,
  error: jobErrorSchema.nullable(),
  credits: z.int(),
  createdAt: z.iso.datetime(),
  finishedAt: z.iso.datetime().nullable(),
});
export type AdminUserJob = z.infer<typeof adminUserJobSchema>;

/** An image that was rejected before a job was created. `filename` is empty if the image had no name. */
export const adminRejectedImageSchema = z.object({
  id: z.uuid(),
  filename: z.string(),
  surface: z.enum(['web', 'api']),
  error: jobErrorSchema,
  createdAt: z.iso.datetime(),
});
export type AdminRejectedImage = z.infer<typeof adminRejectedImageSchema>;

export const adminUserJobsQuerySchema = z.object({
  search: lineSchema.max(limits.searchLength).optional(),
  ...makeFilterFields('userJobs'),
  ...tablePageFields,
});

export const adminUserKeySchema = apiKeySchema.pick({
  id: true,
  name: true,
  keyPreview: true,
  kind: true,
  scopes: true,
  isActive: true,
  createdAt: true,
  lastUsed: true,
  expiresAt: true,
  isExpired: true,
  usageCount: true,
});
export type AdminUserKey = z.infer<typeof adminUserKeySchema>;

/** A session of a user. `address`: IP address. Null for roles that aren't allowed to see full email addresses. */
export const adminUserSessionSchema = sessionSchema.omit({ isCurrent: true });
export type AdminUserSession = z.infer<typeof adminUserSessionSchema>;

/**
 * A line in an account's history: a payment, a refund, a plan change, a coupon, a ticket, or an administrator's action.
 * `subject`: kind and ID of the subject, as in the audit log. `by`: the customer or administrator who caused the event.
 * Null if the event has no known actor.
 */
export const adminUserEventSchema = z.object({
  id: z.string(),
  at: z.iso.datetime(),
  title: z.string(),
  detail: z.string().nullable(),
  by: z.string().nullable(),
  subject: z.object({ kind: z.string(), id: z.string() }),
});
export type AdminUserEvent = z.infer<typeof adminUserEventSchema>;
export const adminUserHistoryQuerySchema = z.object(tablePageFields);
