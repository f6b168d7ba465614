import type { Generated } from 'kysely';

/** Work on an account that takes a while and that the dispatcher does. One of a kind is open at a time. */
export type AccountTasksTable = {
  id: string;
  user_id: string;
  kind: 'export';
  status: Generated<'waiting' | 'running' | 'done' | 'failed' | 'expired'>;
  attempts: Generated<number>;
  not_before: Generated<Date>;
  object_id: string | null;
  created_at: Generated<Date>;
  finished_at: Date | null;
  expires_at: Date | null;
};
