import type { ErrorCode } from '@uprez/contracts/error-codes';
import type { Generated } from 'kysely';

/**
 * One file of a batch. Its unit is reserved under its own id before the file comes; the first job has that id too.
 * `taken`: a job has it, whose status counts from then on.
 */
export type BatchItemsTable = {
  id: string;
  batch_id: string;
  position: number;
  client_id: string;
  name: string;
  relative_path: string;
  size_bytes: number | null;
  status: Generated<'waiting' | 'receiving' | 'taken' | 'failed' | 'cancelled'>;
  job_id: string | null;
  error_code: ErrorCode | null;
  error_detail: string | null;
};
