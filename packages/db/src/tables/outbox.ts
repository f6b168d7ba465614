import type { Generated, JSONColumnType } from 'kysely';

/** A message that must leave after the transaction that wrote it; the dispatcher sends it and fills in `sentAt`. */
export type OutboxTable = {
  id: string;
  kind: string;
  payload: JSONColumnType<Record<string, unknown>>;
  attempts: Generated<number>;
  notBefore: Generated<Date>;
  createdAt: Generated<Date>;
  sentAt: Date | null;
  /** Whom it is about; null for nobody, or for an account that is gone. */
  userId: string | null;
  /** Given up. */
  failedAt: Date | null;
  lastError: string | null;
};
