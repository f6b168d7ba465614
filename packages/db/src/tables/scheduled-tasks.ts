import type { Generated } from 'kysely';

export type ScheduledTasksTable = {
  name: string;
  nextRunAt: Generated<Date>;
  /** The scheduler that runs the task, until `leaseUntil`. Both are null while nobody runs it. */
  leaseHolder: string | null;
  leaseUntil: Date | null;
  lastStartedAt: Date | null;
  lastFinishedAt: Date | null;
  lastError: string | null;
};
