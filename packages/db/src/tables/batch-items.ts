import type { ErrorCode } from '@uprez/contracts/errors/error-codes';
import type { RequestedEngine } from '@uprez/contracts/policy/engines';
import type { Generated } from 'kysely';

/** One file of a batch. `taken`: a job has it, whose status counts from then on. */
export type BatchItemsTable = {
  id: string;
  batch_id: string;
  position: number;
  client_id: string;
  name: string;
  relative_path: string;
  size_bytes: number | null;
  status: Generated<'waiting' | 'taken' | 'failed' | 'cancelled'>;
  /** Under which its unit is reserved before the file comes, and the id of the job to come: its own at first. */
  unit_id: string;
  /** Instead of the batch's, since it was tried again. */
  engine: RequestedEngine | null;
  job_id: string | null;
  /** Where its image is fetched from; null: its file is sent. Not before `fetch_at`, and so often until now. */
  image_url: string | null;
  fetch_at: Generated<Date>;
  fetches: Generated<number>;
  error_code: ErrorCode | null;
  error_detail: string | null;
};
