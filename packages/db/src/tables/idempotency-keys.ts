import type { Generated } from 'kysely';

/** A caller's key and what it stood for; written first in the transaction that creates the job (its foreign key is deferred). */
export type IdempotencyKeysTable = {
  accountId: string;
  key: string;
  fingerprint: string;
  /** One of them. */
  jobId: string | null;
  batchId: string | null;
  createdAt: Generated<Date>;
  expiresAt: Date;
};
