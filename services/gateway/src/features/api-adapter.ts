import type { Plan } from '@uprez/contracts/policy/plans/plan-versions';
import type { Fields } from '@uprez/contracts/recipe/parse-recipe';
import type { Batch, BatchItem, ManifestRow, NewBatchBody } from '@uprez/contracts/schemas/jobs/batch';
import type { DeletionReceipt, Job } from '@uprez/contracts/schemas/jobs/job';
import type { Actor } from '@uprez/domain/actor';
import type { BatchWithItems, ItemWithJob } from '@uprez/domain/batches/get-batch';
import type { ProcessRequest } from '@uprez/domain/intake/accept-image';
import type { PreparedUpload } from '@uprez/domain/intake/prepare-upload';
import type { JobList, JobWithFiles } from '@uprez/domain/jobs/get-job';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Representation } from './jobs/request-preferences.ts';
import type { ReceiveInput } from './uploads/receive-image.ts';
import type { ReceivedForm } from './uploads/receive-upload.ts';

/**
 * The differences between `/api` (session cookie, camelCase) and `/v1` (API key, snake_case), for handlers that serve
 * both.
 */
export type ApiAdapter = {
  surface: 'web' | 'api';
  /** Throws `not_signed_in` or `bad_api_key`. */
  actorOf: (request: FastifyRequest) => Promise<Actor>;
  /** Returns the plan of the caller, or `free` for visitors. */
  planOf: (request: FastifyRequest) => Promise<Plan>;
  prefixOf: (request: FastifyRequest) => string;
  /** Sets headers that only `/v1` sends. */
  setHeaders: (reply: FastifyReply, headers: Record<string, string | number>) => FastifyReply;
  /**
   * Lets pages on other sites embed the result of a `/v1` job. Pages on the allowed origins of the job's API key can
   * also read it.
   */
  openToPages: (exchange: { request: FastifyRequest; reply: FastifyReply }, found: JobWithFiles) => Promise<void>;
  /** Throws `not_acceptable`. */
  negotiate: (request: FastifyRequest) => Representation;
  /**
   * Checks again, after a wait, that the caller may make the request. Throws `bad_api_key` and the same errors as the
   * first check.
   */
  confirmCaller: (request: FastifyRequest) => Promise<void>;
  receiveImage: (actor: Actor, receiving: ReceiveInput) => Promise<ReceivedForm>;
  parseFields: (fields: Fields) => ProcessRequest;
  readNewBatch: (request: FastifyRequest) => Promise<NewBatchBody>;
  /** `notes`: notes on this request, in addition to the job's. */
  presentJob: (request: FastifyRequest, found: JobWithFiles, notes?: readonly string[]) => Job;
  presentJobs: (reply: FastifyReply, page: JobPage) => unknown;
  presentDryRun: (prepared: PreparedUpload, actor: Actor) => unknown;
  presentDeletion: (receipt: DeletionReceipt) => DeletionReceipt;
  presentBatch: (request: FastifyRequest, found: BatchWithItems, notes?: readonly string[]) => Batch;
  presentBulk: (request: FastifyRequest, found: BatchWithItems, notes: readonly string[]) => unknown;
  presentBatchItem: (request: FastifyRequest, entry: ItemWithJob) => BatchItem;
  presentManifestRow: (row: ManifestRow) => Record<string, string | number | null>;
};
export type JobPage = Pick<JobList, 'total' | 'nextCursor'> & { jobs: Job[] };
