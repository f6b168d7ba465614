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

/** Usage and limits of a user. */
export const adminUserUsageSchema = z.object({
  quota: dashboardSchema.shape.quota,
  storageUsed: dashboardSchema.shape.storageUsed,
  storageLimit: dashboardSchema.shape.storageLimit,
  /** Number of images in the last 90 days, and of those that failed. */
  jobs: z.int(),
  failedJobs: z.int(),
  /** Number of images in the last 90 days that were rejected before a job was created. */
  rejectedImages: z.int(),
  /** Number of API keys that haven't expired, and of sessions that haven't ended. */
  apiKeys: z.int(),
  sessions: z.int(),
  /** When sign-in is possible again after too many wrong guesses. Null if the account isn't locked. */
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

/** An image that was rejected before a job was created. `filename`: empty if the image had none. */
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

/** An API key of a user. The secret isn't stored. */
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

/** A session of a user. `address`: IP address; null for roles that don't see full email addresses. */
export const adminUserSessionSchema = sessionSchema.omit({ isCurrent: true });
export type AdminUserSession = z.infer<typeof adminUserSessionSchema>;

/**
 * An event in the history of an account, as text: a payment, a refund, a plan change, a coupon, a ticket, or an
 * administrator's action. `subject`: kind and ID of the subject, as in the audit log. `by`: the customer or an
 * administrator; null if it was neither or isn't known.
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
