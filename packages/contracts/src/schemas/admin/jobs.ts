import * as z from 'zod';
import { type ErrorCode, isErrorCode } from '../../errors/error-codes.ts';
import { jobSurfaces } from '../../policy/admin/tables.ts';
import { engineNames } from '../../policy/images/engines.ts';
import { inputFormats, outputFormats } from '../../policy/images/image-formats.ts';
import { jobStatuses } from '../../policy/job-status.ts';
import { limits } from '../../policy/limits.ts';
import { tiers } from '../../policy/plans/plans.ts';
import { ledgerEntrySchema } from '../jobs/metering.ts';
import { receiptSchema } from '../jobs/receipt.ts';
import { lineSchema } from '../user.ts';
import { jobSettingsSchema } from './job-settings.ts';
import { dayFields, exportFields, filterFields, isInOrder, notInOrder, tablePageFields } from './table.ts';

const time = z.iso.datetime();
const engine = z.enum(engineNames);
const status = z.enum(jobStatuses);

/** A job of any account. `account`, `tier`: null for visitors. */
export const adminJobSchema = z.object({
  id: z.uuid(),
  kind: z.enum(['image', 'preview', 'sandbox']),
  surface: z.enum(jobSurfaces),
  status,
  engine,
  filename: z.string(),
  attempt: z.int(),
  /** Attempts that failed. */
  failures: z.int(),
  errorCode: z.string().nullable(),
  tier: z.enum(tiers).nullable(),
  account: z.object({ id: z.uuid(), email: z.string(), name: z.string().nullable() }).nullable(),
  /** It waits because its engine is paused. */
  isPaused: z.boolean(),
  isStuck: z.boolean(),
  createdAt: time,
  /** Of the last attempt. */
  startedAt: time.nullable(),
  finishedAt: time.nullable(),
});
export type AdminJob = z.infer<typeof adminJobSchema>;

const size = { width: z.int(), height: z.int() };

/** A job with all that is known about it, but no image. */
export const adminJobDetailsSchema = adminJobSchema.extend({
  batchId: z.uuid().nullable(),
  /** The failed job that this one retries, and the job that retries this one. */
  retryOf: z.uuid().nullable(),
  retriedBy: z.uuid().nullable(),
  /** A retry took the original: that of an administrator, or the user's own. */
  sourceMoved: z.boolean(),
  accountSuspended: z.boolean(),
  failureCause: z.string().nullable(),
  errorDetail: z.string().nullable(),
  /** Percent. */
  progress: z.int(),
  notBefore: time,
  estimatedSeconds: z.number(),
  /** Of all attempts that have ended. */
  usedSeconds: z.number(),
  source: z.object({ ...size, format: z.enum(inputFormats), fileSize: z.int() }),
  output: z.object({ ...size, format: z.enum(outputFormats) }),
  receipt: receiptSchema.omit({ thumbhash: true }).nullable(),
  /** The attempt that runs; null: none. */
  lease: z.object({ workerId: z.string(), until: time, isExpired: z.boolean() }).nullable(),
  /** The stored original; null: deleted. */
  storedSource: z.object({ expiresAt: time.nullable() }).nullable(),
  ledger: z.array(ledgerEntrySchema),
});
export type AdminJobDetails = z.infer<typeof adminJobDetailsSchema>;

const filter = {
  /** When it finished. */
  ...dayFields,
  /** The error that ended the job. */
  error: z
    .custom<ErrorCode>((value) => typeof value === 'string' && isErrorCode(value), 'Use an error code.')
    .optional(),
  /** ID of an account. */
  account: z.guid().optional(),
  /** Part of a file name, email address, or name, or an ID of a job or account. */
  search: lineSchema.max(limits.searchLength).optional(),
  ...filterFields('jobs'),
};
export const adminJobsQuerySchema = z.object({ ...filter, ...tablePageFields }).refine(isInOrder, notInOrder);
export const adminJobsExportSchema = z.object({ ...filter, ...exportFields('jobs') }).refine(isInOrder, notInOrder);

/** A process that runs jobs. */
const workerSchema = z.object({
  id: z.string(),
  name: z.string(),
  engines: z.array(z.string()),
  device: z.string(),
  /** `WORKER_POOL`. Null: a shared worker. */
  pool: z.string().nullable(),
  slots: z.int(),
  busySlots: z.int(),
  startedAt: time,
  lastSignAt: time,
  isLive: z.boolean(),
  /** It starts no jobs: all workers, or those of its name, are drained. */
  isDraining: z.boolean(),
});

export const jobOverviewSchema = z.object({
  /** Unfinished jobs, and those that finished in the last 24 hours. `tier`: null for visitors. */
  counts: z.array(z.object({ status, engine, tier: z.enum(tiers).nullable(), count: z.int() })),
  /** Seconds that the oldest job waits that could start. */
  oldestWaitS: z.number().nullable(),
  /** Attempts that started in the last minute. */
  startsPerMinute: z.int(),
  stuck: z.int(),
  /** Jobs that processing errors ended in the last 24 hours. */
  deadToday: z.int(),
  settings: jobSettingsSchema,
  workers: z.array(workerSchema),
});
export type JobOverview = z.infer<typeof jobOverviewSchema>;

const reason = lineSchema.max(500).optional();
export const retryJobBodySchema = z.strictObject({ reason });
export const retriedJobSchema = z.object({ id: z.uuid() });
/** `status` and `attempt`: as the caller saw them. Protects from changing a job that has moved on. */
export const changeJobBodySchema = z.strictObject({
  status: z.enum(['queued', 'processing']),
  attempt: z.int().min(0),
  reason,
});
