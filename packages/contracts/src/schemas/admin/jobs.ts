import * as z from 'zod';
import { type ErrorCode, isErrorCode } from '../../errors/error-codes.ts';
import { jobSurfaces } from '../../policy/admin/tables.ts';
import { inputFormats, outputFormats } from '../../policy/images/image-formats.ts';
import { jobStatuses } from '../../policy/job-status.ts';
import { limits } from '../../policy/limits.ts';
import { tiers } from '../../policy/plans/plans.ts';
import { jobEngineSchema } from '../../recipe/engine-schemas.ts';
import { ledgerEntrySchema } from '../jobs/metering.ts';
import { receiptSchema } from '../jobs/receipt.ts';
import { lineSchema } from '../user.ts';
import { dayFields, isRangeInOrder, makeExportFields, makeFilterFields, notInOrder, tablePageFields } from './table.ts';
import { jobSettingsSchema } from './workers.ts';

const time = z.iso.datetime();
const engine = jobEngineSchema;
const status = z.enum(jobStatuses);

/** `account` and `tier` are null for visitors. */
export const adminJobSchema = z.object({
  id: z.uuid(),
  kind: z.enum(['image', 'preview', 'sandbox']),
  surface: z.enum(jobSurfaces),
  status,
  engine,
  filename: z.string(),
  attempt: z.int(),
  failures: z.int(),
  errorCode: z.string().nullable(),
  tier: z.enum(tiers).nullable(),
  account: z.object({ id: z.uuid(), email: z.string(), name: z.string().nullable() }).nullable(),
  /** Whether the job is waiting because its engine is paused. */
  isPaused: z.boolean(),
  isStuck: z.boolean(),
  createdAt: time,
  /** When the latest attempt started. */
  startedAt: time.nullable(),
  finishedAt: time.nullable(),
});
export type AdminJob = z.infer<typeof adminJobSchema>;

const size = { width: z.int(), height: z.int() };

export const adminJobDetailsSchema = adminJobSchema.extend({
  batchId: z.uuid().nullable(),
  /** The failed job that this job retries, and the job that retries this one. */
  retryOf: z.uuid().nullable(),
  retriedBy: z.uuid().nullable(),
  /** Whether the original was moved to the job that retries this one. */
  sourceMoved: z.boolean(),
  accountSuspended: z.boolean(),
  failureCause: z.string().nullable(),
  errorDetail: z.string().nullable(),
  /** Progress, in percent. */
  progress: z.int(),
  notBefore: time,
  estimatedSeconds: z.number(),
  /** Processing time of all attempts that have ended. */
  usedSeconds: z.number(),
  source: z.object({ ...size, format: z.enum(inputFormats), fileSize: z.int() }),
  output: z.object({ ...size, format: z.enum(outputFormats) }),
  receipt: receiptSchema.omit({ thumbhash: true }).nullable(),
  /** Lease of the running attempt. Null if none is running. */
  lease: z.object({ workerId: z.string(), until: time, isExpired: z.boolean() }).nullable(),
  /** The stored original. Null if it was deleted. */
  storedSource: z.object({ expiresAt: time.nullable() }).nullable(),
  ledger: z.array(ledgerEntrySchema),
});
export type AdminJobDetails = z.infer<typeof adminJobDetailsSchema>;

const filter = {
  /** Range of days on which the job finished. */
  ...dayFields,
  error: z
    .custom<ErrorCode>((value) => typeof value === 'string' && isErrorCode(value), 'Use an error code.')
    .optional(),
  account: z.guid().optional(),
  /** Part of a file name, email address, or name, or the ID of a job or account. */
  search: lineSchema.max(limits.searchLength).optional(),
  ...makeFilterFields('jobs'),
  engine: engine.optional(),
};
export const adminJobsQuerySchema = z.object({ ...filter, ...tablePageFields }).refine(isRangeInOrder, notInOrder);
export const adminJobsExportSchema = z
  .object({ ...filter, ...makeExportFields('jobs') })
  .refine(isRangeInOrder, notInOrder);

const workerSchema = z.object({
  id: z.string(),
  name: z.string(),
  engines: z.array(z.string()),
  device: z.string(),
  /** Value of `WORKER_POOL`. Null for a shared worker. */
  pool: z.string().nullable(),
  slots: z.int(),
  busySlots: z.int(),
  startedAt: time,
  lastSignAt: time,
  isLive: z.boolean(),
  /** Whether the worker isn't starting jobs, because all workers or the workers with its name are drained. */
  isDraining: z.boolean(),
});

export const jobOverviewSchema = z.object({
  /**
   * Job counts by status, engine, and plan. Cover unfinished jobs and jobs that finished in the last 24 hours. `tier`
   * is null for visitors.
   */
  counts: z.array(z.object({ status, engine, tier: z.enum(tiers).nullable(), count: z.int() })),
  /** How long the oldest job that could start has been waiting, in seconds. Null if no job could start. */
  oldestWaitS: z.number().nullable(),
  startsPerMinute: z.int(),
  stuck: z.int(),
  /** Jobs that failed with a processing error in the last 24 hours. */
  deadToday: z.int(),
  settings: jobSettingsSchema,
  workers: z.array(workerSchema),
});
export type JobOverview = z.infer<typeof jobOverviewSchema>;

const reason = lineSchema.max(500).optional();
export const retryJobBodySchema = z.strictObject({ reason });
export const retriedJobSchema = z.object({ id: z.uuid() });
/** `status` and `attempt`: values that the caller saw. The change is rejected if the job's state has changed since. */
export const changeJobBodySchema = z.strictObject({
  status: z.enum(['queued', 'processing']),
  attempt: z.int().min(0),
  reason,
});
