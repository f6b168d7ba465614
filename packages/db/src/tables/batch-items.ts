import type { ErrorCode } from '@uprez/contracts/errors/error-codes';
import type { RequestedEngine } from '@uprez/contracts/policy/engines';
import type { Generated } from 'kysely';

/** One file of a batch. `taken`: a job has it, whose status counts from then on. */
export type BatchItemsTable = {
  id: string;
  batchId: string;
  position: number;
  clientId: string;
  name: string;
  relativePath: string;
  sizeBytes: number | null;
  status: Generated<'waiting' | 'taken' | 'failed' | 'cancelled'>;
  /** Under which its unit is reserved before the file comes, and the id of the job to come: its own at first. */
  unitId: string;
  /** Instead of the batch's, since it was tried again. */
  engine: RequestedEngine | null;
  jobId: string | null;
  /** Where its image is fetched from; null: its file is sent. Not before `fetchAt`, and so often until now. */
  imageUrl: string | null;
  fetchAt: Generated<Date>;
  fetches: Generated<number>;
  errorCode: ErrorCode | null;
  errorDetail: string | null;
};
