import type { Inspection } from '@uprez/contracts/schemas/image-plan';
import type { Generated, JSONColumnType } from 'kysely';

/** Files of a job, and of an account. */
export type JobObjectKind = 'source' | 'result' | 'thumbnail';
export type ObjectKind = JobObjectKind | 'export';
export type ObjectState = 'writing' | 'stored' | 'deleting';

/** A stored file. The row exists before the first byte and goes after the last one. */
export type ObjectsTable = {
  id: string;
  accountId: string | null;
  jobId: string | null;
  kind: ObjectKind;
  key: string;
  state: Generated<ObjectState>;
  size: number | null;
  sha256: string | null;
  inspection: JSONColumnType<Inspection> | null;
  createdAt: Generated<Date>;
  expiresAt: Date | null;
};
