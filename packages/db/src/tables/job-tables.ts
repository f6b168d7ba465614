import type { ErrorCode } from '@uprez/contracts/errors/error-codes';
import type { PoolFallback } from '@uprez/contracts/policy/admin/worker-pools';
import type { RequestedEngine } from '@uprez/contracts/policy/images/engines';
import type { JobStatus } from '@uprez/contracts/policy/job-status';
import type { Tier } from '@uprez/contracts/policy/plans/plans';
import type { Recipe } from '@uprez/contracts/recipe/recipe';
import type { ImagePipeline, Inspection } from '@uprez/contracts/schemas/image-pipeline';
import type { Receipt } from '@uprez/contracts/schemas/jobs/receipt';
import type { ResultDeliveryError } from '@uprez/contracts/schemas/jobs/result-delivery';
import type { ColumnType, Generated, JSONColumnType } from 'kysely';

/** Workers that are reserved for the accounts of the pool. */
export type PoolsTable = {
  /** `WORKER_POOL`. */
  name: string;
  fallback: Generated<PoolFallback>;
  /** When one of its workers last said that it starts jobs. Null: none ever did. */
  lastSignAt: Date | null;
  createdAt: Generated<Date>;
};

/** The pool of an account, which precedes that of its plan. */
type AccountPoolsTable = {
  accountId: string;
  pool: string;
};

/** The pool of all accounts of a plan. */
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
  /** The plan of the account when the job was created. Null for visitors, and in rows of versions that didn't store it. */
  accountTier: Tier | null;
  apiKeyId: string | null;
  status: JobStatus;
  recipe: JSONColumnType<Recipe>;
  plan: JSONColumnType<ImagePipeline>;
  /** Of an attempt, according to the plan. Null in rows of versions that didn't store it. */
  estimatedSeconds: ColumnType<number | null, number, number>;
  /** Notes for the caller about how the options were interpreted. */
  notes: Generated<string[]>;
  filename: string;
  sourceBytes: number;
  sourceId: string | null;
  /** A retry took the original of this failed job. */
  sourceMoved: Generated<boolean>;
  resultId: string | null;
  thumbnailId: string | null;
  attempt: Generated<number>;
  failures: Generated<number>;
  /** Of the last failed attempt: a limit, or the stage of a crash. Null if it may not happen again. */
  failureCause: string | null;
  notBefore: Generated<Date>;
  enqueuedAt: Date | null;
  /** Percent. The lease of a processing job has its current value. */
  progress: Generated<number>;
  version: Generated<number>;
  receipt: JSONColumnType<Receipt> | null;
  errorCode: ErrorCode | null;
  errorDetail: string | null;
  createdAt: Generated<Date>;
  updatedAt: Generated<Date>;
  startedAt: Date | null;
  /** Of all attempts that have ended, whatever their outcome. */
  usedSeconds: Generated<number>;
  /** Charged for a canceled job. */
  cancelUnits: Generated<number>;
  finishedAt: Date | null;
  /** Notified when the job ends, in addition to the account's endpoints. */
  webhookUrl: string | null;
  /** The failed job that an administrator tried again with this one. Once at most. */
  retryOf: string | null;
  /** Whether a copy of a stored result of the same image and options will do. Null: a job of the version before. */
  mayRepeat: boolean | null;
  /** The request that created the job, as a header of W3C Trace Context. Null if traces were off. */
  traceparent: string | null;
  expiresAt: Date | null;
  deletedAt: Date | null;
};

/** The attempt that a processing job is in. A job has a lease exactly while it is processing. */
export type JobLeasesTable = {
  jobId: string;
  attempt: number;
  workerId: string;
  leaseUntil: Date;
  /** Percent. Copied to the job when the attempt ends. */
  progress: Generated<number>;
  /** How often the progress changed. Added to the job's version. */
  changes: Generated<number>;
  updatedAt: Generated<Date>;
  /** Virtual time that the account was charged for the estimate of this attempt. */
  charged: Generated<number>;
};

/**
 * The first job of an account with a claimable one, and its place in the order of claims. The nil UUID stands for all
 * visitors. Only claims write it, and they read `QueueChangesTable` first.
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
  /** The virtual time that the start of the job would give the account. */
  finish: number;
};

/** An account whose head may have changed, or changes at `dueAt`. Triggers add rows, and claims delete them. */
type QueueChangesTable = {
  accountId: string;
  dueAt: Generated<Date>;
};

/** A running worker, and one that ended without notice for a while. */
export type WorkersTable = {
  /** That of its leases: host, process ID, and a random suffix. */
  id: string;
  /** `WORKER_NAME`. */
  name: string;
  engines: string[];
  device: string;
  slots: number;
  /** `WORKER_POOL`. Null: a shared worker. */
  pool: string | null;
  startedAt: Generated<Date>;
  /** It says that it runs every 5 seconds. */
  lastSignAt: Generated<Date>;
};

/** Files of a job, of an account, and of the media library. */
export type JobObjectKind = 'source' | 'result' | 'thumbnail';
export type ObjectKind = JobObjectKind | 'export' | 'ticket' | 'media';
type ObjectState = 'writing' | 'stored' | 'deleting';

/** A stored file. The row exists before the first byte and goes after the last one. */
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

/** An idempotency key and its job or batch. Inserted before the job; the foreign key is deferred. */
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
  /** Empty if it had no name. */
  filename: string;
  errorCode: ErrorCode;
  errorDetail: string;
  createdAt: Generated<Date>;
};

/** Images that are processed alike; its state is that of its items. */
export type BatchesTable = {
  id: string;
  accountId: string;
  recipe: JSONColumnType<Recipe>;
  surface: Generated<'web' | 'api'>;
  /** The key whose monthly cap counts the units. */
  apiKeyId: string | null;
  /** Nothing of it is counted or charged. */
  isSandbox: Generated<boolean>;
  /** No format was set: transparent images become PNG. */
  keepsAlpha: Generated<boolean>;
  createdAt: Generated<Date>;
  cancelledAt: Date | null;
  /** Its jobs don't start until it is resumed, or expires. */
  pausedAt: Date | null;
  /** When items without a file fail. */
  expiresAt: Date;
  /** When it first ended, once that is noted. A retry doesn't clear it. */
  endedAt: Date | null;
};

/** A file of a batch. `taken`: it has a job, which has the status. */
export type BatchItemsTable = {
  id: string;
  batchId: string;
  position: number;
  clientId: string;
  name: string;
  relativePath: string;
  sizeBytes: number | null;
  status: Generated<'waiting' | 'taken' | 'failed' | 'cancelled'>;
  /** The ID of its reservation, and of its first job. */
  unitId: string;
  /** Instead of the batch's, since it was tried again. */
  engine: RequestedEngine | null;
  jobId: string | null;
  /**
   * Where its image is fetched from; null: its file is sent. Until `fetchAt`, a fetch or an upload has the item. It was fetched so
   * often until now.
   */
  imageUrl: string | null;
  fetchAt: Generated<Date>;
  fetches: Generated<number>;
  errorCode: ErrorCode | null;
  errorDetail: string | null;
  /** The queue in which an image URL waits, set by a trigger. Null if the API key of the batch was deleted. */
  queueAccountId: Generated<string | null>;
  queueIsSandbox: Generated<boolean | null>;
};

/** The upload of an item's result to a URL. Due from `nextAt` on, once the job is completed. */
export type ResultDeliveriesTable = {
  itemId: string;
  /** The sealed URL. Deleted when the delivery or its item ends. */
  target: string | null;
  host: string;
  status: Generated<'pending' | 'delivered' | 'failed'>;
  attempts: Generated<number>;
  nextAt: Date | null;
  /** Until when the current attempt may run. */
  leaseUntil: Date | null;
  /** HTTP status of the last response. */
  answered: number | null;
  error: ResultDeliveryError | null;
  deliveredAt: Date | null;
  /** The queue in which it waits, set by a trigger. */
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
