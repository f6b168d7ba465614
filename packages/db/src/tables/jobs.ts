import type { ErrorCode } from '@uprez/contracts/errors/error-codes';
import type { JobStatus } from '@uprez/contracts/policy/job-status';
import type { Recipe } from '@uprez/contracts/recipe/recipe';
import type { ImagePlan } from '@uprez/contracts/schemas/image-plan';
import type { Receipt } from '@uprez/contracts/schemas/receipt';
import type { Generated, JSONColumnType } from 'kysely';

export type JobKind = 'image' | 'preview' | 'sandbox';

/**
 * One image through one recipe. `attempt` fences writers: it rises with every claim. `failures` counts the attempts
 * that ended badly and decides about another. `version` rises with every change; progress counts in `job_leases`.
 */
export type JobsTable = {
  id: string;
  accountId: string | null;
  /**
   * `preview`: a free look at a patch; nothing is charged, kept or listed. `sandbox`: a small image made to try the
   * public API; free, and known to its sandbox alone.
   */
  kind: JobKind;
  surface: Generated<'web' | 'api'>;
  apiKeyId: string | null;
  status: JobStatus;
  recipe: JSONColumnType<Recipe>;
  plan: JSONColumnType<ImagePlan>;
  /** What the caller should know of how the wish was read; the receipt has more. */
  notes: Generated<string[]>;
  filename: string;
  sourceBytes: number;
  sourceId: string | null;
  resultId: string | null;
  thumbnailId: string | null;
  attempt: Generated<number>;
  failures: Generated<number>;
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
  finishedAt: Date | null;
  /** Who is told of its end, beside the account's endpoints. */
  webhookUrl: string | null;
  expiresAt: Date | null;
  deletedAt: Date | null;
};
