import type { JobStatus } from '@uprez/contracts/policy/job-status';

const kinds: Partial<Record<JobStatus, 'done' | 'active'>> = {
  completed: 'done',
  processing: 'active',
  // Queued jobs are shown as active.
  queued: 'active',
};

/** Color of the status dot: green for completed, yellow for active, red for all others. */
export const statusKind = (status: JobStatus): 'done' | 'active' | 'failed' => kinds[status] ?? 'failed';
