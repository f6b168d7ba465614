import * as z from 'zod';
import { engineNames } from '../../policy/images/engines.ts';
import { jobStatuses } from '../../policy/job-status.ts';
import { limits } from '../../policy/limits.ts';
import { sessionSchema } from '../account.ts';
import { apiKeySchema } from '../api-keys.ts';
import { dashboardSchema } from '../dashboard.ts';
import { jobErrorSchema } from '../jobs/job.ts';
import { lineSchema } from '../user.ts';
import { filterFields, tablePageFields } from './table.ts';

/** What a user has used, and how much there is of it. */
export const adminUserUsageSchema = z.object({
  quota: dashboardSchema.shape.quota,
  storageUsed: dashboardSchema.shape.storageUsed,
  storageLimit: dashboardSchema.shape.storageLimit,
  /** Images of the last 90 days, and those of them that failed. */
  jobs: z.int(),
  failedJobs: z.int(),
  /** Images of the last 90 days that were rejected before they had a job. */
  rejectedImages: z.int(),
  /** API keys that haven't expired, and sessions that haven't ended. */
  apiKeys: z.int(),
  sessions: z.int(),
  /** When a sign-in is possible again after too many wrong guesses; null: it is possible. */
  lockedUntil: z.iso.datetime().nullable(),
});
export type AdminUserUsage = z.infer<typeof adminUserUsageSchema>;

/** A job as administrators see it, without its image. */
export const adminUserJobSchema = z.object({
  id: z.uuid(),
  filename: z.string(),
  status: z.enum(jobStatuses),
  surface: z.enum(['web', 'api']),
  engine: z.enum(engineNames),
  error: jobErrorSchema.nullable(),
  /** Credits that the job costs. */
  credits: z.int(),
  createdAt: z.iso.datetime(),
  finishedAt: z.iso.datetime().nullable(),
});
export type AdminUserJob = z.infer<typeof adminUserJobSchema>;

/** An image that was rejected before it had a job. `filename`: empty if it had none. */
export const adminRejectedImageSchema = z.object({
  id: z.uuid(),
  filename: z.string(),
  surface: z.enum(['web', 'api']),
  error: jobErrorSchema,
  createdAt: z.iso.datetime(),
});
export type AdminRejectedImage = z.infer<typeof adminRejectedImageSchema>;

/** `search`: part of the file name. */
export const adminUserJobsQuerySchema = z.object({
  search: lineSchema.max(limits.searchLength).optional(),
  ...filterFields('userJobs'),
  ...tablePageFields,
});

/** An API key of a user. The secret is stored nowhere. */
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

/** A session of a user. `address`: null for roles that don't see email addresses in full. */
export const adminUserSessionSchema = sessionSchema.omit({ isCurrent: true });
export type AdminUserSession = z.infer<typeof adminUserSessionSchema>;

/**
 * Something that happened to an account, in words: a payment, a refund, a change of the plan, a coupon, a ticket, or what an
 * administrator did. `subject`: the kind and the ID of what it is about, as in the audit log. `by`: the customer or an
 * administrator; null: neither, or it isn't known.
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
