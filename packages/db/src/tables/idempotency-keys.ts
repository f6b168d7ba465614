import type { Generated } from 'kysely';

/** A caller's key and what it stood for; written first in the transaction that creates the job (its foreign key is deferred). */
export type IdempotencyKeysTable = {
  account_id: string;
  key: string;
  fingerprint: string;
  /** One of them. */
  job_id: string | null;
  batch_id: string | null;
  created_at: Generated<Date>;
  expires_at: Date;
};
