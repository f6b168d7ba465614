import type { JobStatus } from '@uprez/contracts/policy/job-status';

const kinds: Partial<Record<JobStatus, 'done' | 'active'>> = {
  completed: 'done',
  processing: 'active',
  // For its owner, waiting for a worker is the beginning of being processed.
  queued: 'active',
};

/** The dot of a job: green when completed, yellow while it is processed, red otherwise. */
export const statusKind = (status: JobStatus): 'done' | 'active' | 'failed' => kinds[status] ?? 'failed';
