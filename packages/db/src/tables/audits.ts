import type { Generated, JSONColumnType } from 'kysely';

/** One write of an administrator: who, what, how it was before and after. Rows are only ever added. */
export type AuditsTable = {
  id: Generated<string>;
  actorId: string | null;
  action: string;
  /** `user:<id>`, `settings:<name>`. */
  subject: string;
  before: JSONColumnType<Record<string, unknown>>;
  after: JSONColumnType<Record<string, unknown>>;
  reason: string | null;
  address: string | null;
  createdAt: Generated<Date>;
};
