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
import { dayFields, isRangeInOrder, makeExportFields, makeFilterFields, notInOrder, tablePageFields } from './table.ts';
import { jobSettingsSchema } from './workers.ts';

const time = z.iso.datetime();
const engine = z.enum(engineNames);
const status = z.enum(jobStatuses);

/** A job of any account. `account` and `tier` are null for visitors. */
export const adminJobSchema = z.object({
  id: z.uuid(),
  kind: z.enum(['image', 'preview', 'sandbox']),
  surface: z.enum(jobSurfaces),
  status,
  engine,
  filename: z.string(),
  attempt: z.int(),
  /** Number of failed attempts. */
  failures: z.int(),
  errorCode: z.string().nullable(),
  tier: z.enum(tiers).nullable(),
  account: z.object({ id: z.uuid(), email: z.string(), name: z.string().nullable() }).nullable(),
  /** Whether the job waits because its engine is paused. */
  isPaused: z.boolean(),
  isStuck: z.boolean(),
  createdAt: time,
  /** Start of the last attempt. */
  startedAt: time.nullable(),
  finishedAt: time.nullable(),
});
export type AdminJob = z.infer<typeof adminJobSchema>;

const size = { width: z.int(), height: z.int() };

/** All details of a job, without its image. */
export const adminJobDetailsSchema = adminJobSchema.extend({
  batchId: z.uuid().nullable(),
  /** The failed job that this one retries, and the job that retries this one. */
  retryOf: z.uuid().nullable(),
  retriedBy: z.uuid().nullable(),
  /** Whether a retry, by an administrator or the user, took over the original. */
  sourceMoved: z.boolean(),
  accountSuspended: z.boolean(),
  failureCause: z.string().nullable(),
  errorDetail: z.string().nullable(),
  /** Progress in percent. */
  progress: z.int(),
  notBefore: time,
  estimatedSeconds: z.number(),
  /** Processing time of all ended attempts. */
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
  /** Days on which the job finished. */
  ...dayFields,
  /** The error that ended the job. */
  error: z
    .custom<ErrorCode>((value) => typeof value === 'string' && isErrorCode(value), 'Use an error code.')
    .optional(),
  /** ID of an account. */
  account: z.guid().optional(),
  /** Part of a file name, email address, or name, or the ID of a job or account. */
  search: lineSchema.max(limits.searchLength).optional(),
  ...makeFilterFields('jobs'),
};
export const adminJobsQuerySchema = z.object({ ...filter, ...tablePageFields }).refine(isRangeInOrder, notInOrder);
export const adminJobsExportSchema = z
  .object({ ...filter, ...makeExportFields('jobs') })
  .refine(isRangeInOrder, notInOrder);

/** A process that runs jobs. */
const workerSchema = z.object({
  id: z.string(),
  name: z.string(),
  engines: z.array(z.string()),
  device: z.string(),
  /** `WORKER_POOL`. Null for a shared worker. */
  pool: z.string().nullable(),
  slots: z.int(),
  busySlots: z.int(),
  startedAt: time,
  lastSignAt: time,
  isLive: z.boolean(),
  /** Whether the worker doesn't start jobs, because all workers or those with its name are drained. */
  isDraining: z.boolean(),
});

export const jobOverviewSchema = z.object({
  /** Numbers of unfinished jobs, and of jobs that finished in the last 24 hours. `tier` is null for visitors. */
  counts: z.array(z.object({ status, engine, tier: z.enum(tiers).nullable(), count: z.int() })),
  /** Waiting time of the oldest job that could start, seconds. Null if there is none. */
  oldestWaitS: z.number().nullable(),
  /** Number of attempts that started in the last minute. */
  startsPerMinute: z.int(),
  stuck: z.int(),
  /** Number of jobs that failed with a processing error in the last 24 hours. */
  deadToday: z.int(),
  settings: jobSettingsSchema,
  workers: z.array(workerSchema),
});
export type JobOverview = z.infer<typeof jobOverviewSchema>;

const reason = lineSchema.max(500).optional();
export const retryJobBodySchema = z.strictObject({ reason });
export const retriedJobSchema = z.object({ id: z.uuid() });
/** `status` and `attempt`: values that the caller saw. Prevents changing a job whose state has changed since. */
export const changeJobBodySchema = z.strictObject({
  status: z.enum(['queued', 'processing']),
  attempt: z.int().min(0),
  reason,
});
