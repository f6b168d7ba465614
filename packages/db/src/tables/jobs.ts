import type { ErrorCode } from '@uprez/contracts/errors/error-codes';
import type { JobStatus } from '@uprez/contracts/policy/job-status';
import type { Recipe } from '@uprez/contracts/recipe/recipe';
import type { ImagePlan } from '@uprez/contracts/schemas/image-plan';
import type { Receipt } from '@uprez/contracts/schemas/receipt';
import type { Generated, JSONColumnType } from 'kysely';

export type JobKind = 'image' | 'preview' | 'sandbox';

/**
 * One image through one recipe. `attempt` fences writers: it rises with every claim. `failures` counts the attempts
 * that ended badly and decides about another. `version` rises with every change.
 */
export type JobsTable = {
  id: string;
  account_id: string | null;
  /**
   * `preview`: a free look at a patch; nothing is charged, kept or listed. `sandbox`: a small image made to try the
   * public API; free, and known to its sandbox alone.
   */
  kind: JobKind;
  surface: Generated<'web' | 'api'>;
  api_key_id: string | null;
  status: JobStatus;
  recipe: JSONColumnType<Recipe>;
  plan: JSONColumnType<ImagePlan>;
  /** What the caller should know of how the wish was read; the receipt has more. */
  notes: Generated<string[]>;
  filename: string;
  source_bytes: number;
  source_id: string | null;
  result_id: string | null;
  thumbnail_id: string | null;
  attempt: Generated<number>;
  failures: Generated<number>;
  lease_until: Date | null;
  worker_id: string | null;
  not_before: Generated<Date>;
  enqueued_at: Date | null;
  progress: Generated<number>;
  version: Generated<number>;
  receipt: JSONColumnType<Receipt> | null;
  error_code: ErrorCode | null;
  error_detail: string | null;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
  started_at: Date | null;
  finished_at: Date | null;
  /** Who is told of its end, beside the account's endpoints. */
  webhook_url: string | null;
  expires_at: Date | null;
  deleted_at: Date | null;
};
