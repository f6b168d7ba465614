import type { Generated } from 'kysely';

/** The attempt that a processing job is in. A job has a lease exactly while it is processing. */
export type JobLeasesTable = {
  jobId: string;
  attempt: number;
  workerId: string;
  leaseUntil: Date;
  /** Percent. Copied to the job when the attempt ends. */
  progress: Generated<number>;
  /** How often the progress changed. Added to the job's version. */
  changes: Generated<number>;
  updatedAt: Generated<Date>;
};
