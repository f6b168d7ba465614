import type { Generated, JSONColumnType } from 'kysely';

/** A message that must leave after the transaction that wrote it; the dispatcher sends it and fills in `sent_at`. */
export type OutboxTable = {
  id: string;
  kind: string;
  payload: JSONColumnType<Record<string, unknown>>;
  attempts: Generated<number>;
  not_before: Generated<Date>;
  created_at: Generated<Date>;
  sent_at: Date | null;
  /** Whom it is about; null for nobody, or for an account that is gone. */
  user_id: string | null;
  /** Given up. */
  failed_at: Date | null;
  last_error: string | null;
};
