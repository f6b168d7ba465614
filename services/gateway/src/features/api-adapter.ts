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
  /** Returns the caller. Throws `not_signed_in` or `bad_api_key`. */
  actorOf: (request: FastifyRequest) => Promise<Actor>;
  /** Returns the plan of the caller, or `free` for visitors. */
  planOf: (request: FastifyRequest) => Promise<Plan>;
  /** Returns the path prefix under which the caller finds jobs and batches. */
  prefixOf: (request: FastifyRequest) => string;
  /** Sets headers that only `/v1` sends. */
  setHeaders: (reply: FastifyReply, headers: Record<string, string | number>) => FastifyReply;
  /**
   * Lets pages on other sites embed the result of a `/v1` job. Pages on the allowed origins of the job's API key can
   * also read it.
   */
  openToPages: (exchange: { request: FastifyRequest; reply: FastifyReply }, found: JobWithFiles) => Promise<void>;
  /** Returns the representation that a processing request prefers. Throws `not_acceptable`. */
  negotiate: (request: FastifyRequest) => Representation;
  /**
   * Checks again, after a wait, that the caller may make the request. Throws `bad_api_key` and the same errors as the
   * first check.
   */
  confirmCaller: (request: FastifyRequest) => Promise<void>;
  /** Receives an image and its fields in any form that the API accepts. */
  receiveImage: (actor: Actor, receiving: ReceiveInput) => Promise<ReceivedForm>;
  parseFields: (fields: Fields) => ProcessRequest;
  readNewBatch: (request: FastifyRequest) => Promise<NewBatchBody>;
  /** `notes`: notes on this request, in addition to the job's. */
  presentJob: (request: FastifyRequest, found: JobWithFiles, notes?: readonly string[]) => Job;
  presentJobs: (reply: FastifyReply, page: JobPage) => unknown;
  presentDryRun: (prepared: PreparedUpload, actor: Actor) => unknown;
  presentDeletion: (receipt: DeletionReceipt) => DeletionReceipt;
  /** Presents a batch. `notes`: notes for the caller about the request that created it. */
  presentBatch: (request: FastifyRequest, found: BatchWithItems, notes?: readonly string[]) => Batch;
  /** Presents the response to a form that contains all files of a batch. */
  presentBulk: (request: FastifyRequest, found: BatchWithItems, notes: readonly string[]) => unknown;
  presentBatchItem: (request: FastifyRequest, entry: ItemWithJob) => BatchItem;
  /** Renames the columns of a manifest row to the naming style of the API. */
  presentManifestRow: (row: ManifestRow) => Record<string, string | number | null>;
};
export type JobPage = Pick<JobList, 'total' | 'nextCursor'> & { jobs: Job[] };
