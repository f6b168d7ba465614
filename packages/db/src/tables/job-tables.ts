import type { ErrorCode } from '@uprez/contracts/errors/error-codes';
import type { PoolFallback } from '@uprez/contracts/policy/admin/worker-pools';
import type { RequestedEngine } from '@uprez/contracts/policy/images/engines';
import type { JobStatus } from '@uprez/contracts/policy/job-status';
import type { Tier } from '@uprez/contracts/policy/plans/plans';
import type { Recipe } from '@uprez/contracts/recipe/recipe';
import type { ImagePipeline, Inspection } from '@uprez/contracts/schemas/image-pipeline';
import type { ResultDeliveryError } from '@uprez/contracts/schemas/jobs/batch';
import type { Receipt } from '@uprez/contracts/schemas/jobs/receipt';
import type { ColumnType, Generated, JSONColumnType } from 'kysely';

/** A pool of workers that are reserved for the pool's accounts. */
export type PoolsTable = {
  /** Value of `WORKER_POOL`. */
  name: string;
  fallback: Generated<PoolFallback>;
  /** When a worker of the pool that isn't drained last sent a heartbeat. Null if none has. */
  lastSignAt: Date | null;
  createdAt: Generated<Date>;
};

/** The pool of an account, which takes precedence over the pool of the account's plan. */
type AccountPoolsTable = {
  accountId: string;
  pool: string;
};

type PlanPoolsTable = {
  tier: Tier;
  pool: string;
};

export type PoolTables = { pools: PoolsTable; accountPools: AccountPoolsTable; planPools: PlanPoolsTable };

export type JobKind = 'image' | 'preview' | 'sandbox';

/** A job. `attempt` increments with every claim, `failures` with every failed attempt, `version` with every change. */
export type JobsTable = {
  id: string;
  accountId: string | null;
  /** `preview`: a free preview of a patch. `sandbox`: a free test job of the public API. */
  kind: JobKind;
  surface: Generated<'web' | 'api'>;
  /** The account's plan when the job was created. Null for visitors and in rows of versions that didn't store it. */
  accountTier: Tier | null;
  apiKeyId: string | null;
  status: JobStatus;
  recipe: JSONColumnType<Recipe>;
  plan: JSONColumnType<ImagePipeline>;
  /** Estimated duration of an attempt, from `plan`. Null in rows of versions that didn't store it. */
  estimatedSeconds: ColumnType<number | null, number, number>;
  /** Notes for the caller about how the options were interpreted. */
  notes: Generated<string[]>;
  filename: string;
  sourceBytes: number;
  sourceId: string | null;
  /** Whether a retry took over the original of this failed job. */
  sourceMoved: Generated<boolean>;
  resultId: string | null;
  thumbnailId: string | null;
  attempt: Generated<number>;
  failures: Generated<number>;
  /** Cause of the latest failed attempt: a limit, or the stage of a crash. Null if another attempt may succeed. */
  failureCause: string | null;
  notBefore: Generated<Date>;
  enqueuedAt: Date | null;
  /** In percent. While the job is processing, its lease has the current value. */
  progress: Generated<number>;
  version: Generated<number>;
  receipt: JSONColumnType<Receipt> | null;
  errorCode: ErrorCode | null;
  errorDetail: string | null;
  createdAt: Generated<Date>;
  updatedAt: Generated<Date>;
  startedAt: Date | null;
  /** Total duration of all attempts that have ended, regardless of their outcome. */
  usedSeconds: Generated<number>;
  /** Units charged for a canceled job. */
  cancelUnits: Generated<number>;
  finishedAt: Date | null;
  /** URL that is notified when the job ends, in addition to the account's endpoints. */
  webhookUrl: string | null;
  /** The failed job that an administrator retried with this job. A job can be retried this way once. */
  retryOf: string | null;
  /** Whether the job may copy a stored result of the same image and options. Null for jobs of the previous version. */
  mayRepeat: boolean | null;
  /** W3C Trace Context header of the request that created the job. Null if tracing was off. */
  traceparent: string | null;
  expiresAt: Date | null;
  deletedAt: Date | null;
};

/** The current attempt of a processing job. A job has a lease if and only if it is processing. */
export type JobLeasesTable = {
  jobId: string;
  attempt: number;
  workerId: string;
  leaseUntil: Date;
  /** In percent. Copied to the job when the attempt ends. */
  progress: Generated<number>;
  /** Number of progress changes. Added to the job's version. */
  changes: Generated<number>;
  updatedAt: Generated<Date>;
  /** Virtual time that the account was charged for the estimate of this attempt. */
  charged: Generated<number>;
};

/**
 * The first claimable job of each account that has one, and the job's position in the claim order. The nil UUID
 * represents all visitors. Only claims write to the table, after reading `QueueChangesTable`.
 */
type QueueHeadsTable = {
  accountId: string;
  jobId: string;
  createdAt: Date;
  wasDelayed: boolean;
  seconds: number;
  tier: string;
  weight: number;
  virtualTime: number;
  /** The account's virtual time once the job has started. */
  finish: number;
};

/**
 * An account whose queue head may have changed, or will change at `dueAt`. Triggers add rows, and claims delete them.
 */
type QueueChangesTable = {
  accountId: string;
  dueAt: Generated<Date>;
};

/** A running worker. Workers that exited without notice are kept for a while. */
export type WorkersTable = {
  /** ID in the worker's leases: host, process ID, and a random suffix. */
  id: string;
  /** Value of `WORKER_NAME`. */
  name: string;
  engines: string[];
  device: string;
  slots: number;
  /** Value of `WORKER_POOL`. Null for a shared worker. */
  pool: string | null;
  startedAt: Generated<Date>;
  /** Time of the latest heartbeat. Workers send one every 5 seconds. */
  lastSignAt: Generated<Date>;
};

/** Kinds of a job's files. `ObjectKind` adds files of accounts, tickets, and the media library. */
export type JobObjectKind = 'source' | 'result' | 'thumbnail';
export type ObjectKind = JobObjectKind | 'export' | 'ticket' | 'media';
type ObjectState = 'writing' | 'stored' | 'deleting';

/** A stored file. The row is inserted before the first byte is written and deleted after the file is. */
export type ObjectsTable = {
  id: string;
  accountId: string | null;
  jobId: string | null;
  kind: ObjectKind;
  key: string;
  state: Generated<ObjectState>;
  size: number | null;
  sha256: string | null;
  inspection: JSONColumnType<Inspection> | null;
  createdAt: Generated<Date>;
  expiresAt: Date | null;
};

/** An idempotency key and its job or batch. The key is inserted before the job, so the foreign key is deferred. */
type IdempotencyKeysTable = {
  accountId: string;
  key: string;
  fingerprint: string;
  jobId: string | null;
  batchId: string | null;
  createdAt: Generated<Date>;
  expiresAt: Date;
};

/** An image that was rejected before it had a job. */
export type RejectedImagesTable = {
  id: Generated<string>;
  accountId: string;
  surface: 'web' | 'api';
  /** Empty if the image had no name. */
  filename: string;
  errorCode: ErrorCode;
  errorDetail: string;
  createdAt: Generated<Date>;
};

/** Images that are processed with the same options. A batch's state is derived from its items. */
export type BatchesTable = {
  id: string;
  accountId: string;
  recipe: JSONColumnType<Recipe>;
  surface: Generated<'web' | 'api'>;
  /** The API key. The units count toward its monthly cap. */
  apiKeyId: string | null;
  /** Whether the batch is a test that isn't counted or charged. */
  isSandbox: Generated<boolean>;
  /** Whether transparent images are converted to PNG, because no format was set. */
  keepsAlpha: Generated<boolean>;
  createdAt: Generated<Date>;
  cancelledAt: Date | null;
  /** When the batch was paused. Its jobs don't start until it is resumed or expires. */
  pausedAt: Date | null;
  /** Deadline for the files. Items that have no file by then fail. */
  expiresAt: Date;
  /** When the batch first ended. Null until `endBatch` records the end. A retry doesn't clear it. */
  endedAt: Date | null;
};

/** A file in a batch. `taken`: the item has a job, and the job's status is used instead. */
export type BatchItemsTable = {
  id: string;
  batchId: string;
  position: number;
  clientId: string;
  name: string;
  relativePath: string;
  sizeBytes: number | null;
  status: Generated<'waiting' | 'taken' | 'failed' | 'cancelled'>;
  /** ID of the item's reservation and of its first job. */
  unitId: string;
  /** Overrides the batch's engine for a retried item. */
  engine: RequestedEngine | null;
  jobId: string | null;
  /**
   * `imageUrl`: the URL that the image is fetched from, or null if the file is uploaded. `fetchAt`: when the claim of
   * the current fetch or upload expires and the item can be claimed again. `fetches`: number of fetches that have
   * started.
   */
  imageUrl: string | null;
  fetchAt: Generated<Date>;
  fetches: Generated<number>;
  errorCode: ErrorCode | null;
  errorDetail: string | null;
  /** The queue in which an image URL waits, set by a trigger. Null if the batch's API key was deleted. */
  queueAccountId: Generated<string | null>;
  queueIsSandbox: Generated<boolean | null>;
};

/** The upload of an item's result to a URL. Due at `nextAt`, which is set when the job is completed. */
export type ResultDeliveriesTable = {
  itemId: string;
  /** The sealed URL. Deleted when the delivery or its item ends. */
  target: string | null;
  host: string;
  status: Generated<'pending' | 'delivered' | 'failed'>;
  attempts: Generated<number>;
  nextAt: Date | null;
  leaseUntil: Date | null;
  /** HTTP status of the last response. */
  answered: number | null;
  error: ResultDeliveryError | null;
  deliveredAt: Date | null;
  /** The queue in which the delivery waits, set by a trigger. */
  queueAccountId: Generated<string | null>;
  queueIsSandbox: Generated<boolean | null>;
};

export type JobTables = {
  jobs: JobsTable;
  jobLeases: JobLeasesTable;
  queueHeads: QueueHeadsTable;
  queueChanges: QueueChangesTable;
  objects: ObjectsTable;
  idempotencyKeys: IdempotencyKeysTable;
  batches: BatchesTable;
  batchItems: BatchItemsTable;
  rejectedImages: RejectedImagesTable;
  resultDeliveries: ResultDeliveriesTable;
  workers: WorkersTable;
};
