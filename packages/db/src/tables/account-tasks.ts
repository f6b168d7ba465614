import type { Generated } from 'kysely';

/** Work on an account that takes a while and that the dispatcher does. One of a kind is open at a time. */
export type AccountTasksTable = {
  id: string;
  userId: string;
  kind: 'export';
  status: Generated<'waiting' | 'running' | 'done' | 'failed' | 'expired'>;
  attempts: Generated<number>;
  notBefore: Generated<Date>;
  objectId: string | null;
  createdAt: Generated<Date>;
  finishedAt: Date | null;
  expiresAt: Date | null;
};
