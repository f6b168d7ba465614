import type { JobSurface, JobTier, JobView } from '@uprez/contracts/policy/admin/tables';
import type { JobEngine } from '@uprez/contracts/policy/images/engines';
import type { JobStatus } from '@uprez/contracts/policy/job-status';
import { adminPages } from '@uprez/contracts/texts/admin/admin-pages';
import { generatePath } from 'react-router';

/** Anchor of the list, which is below the overview. */
export const listAnchor = 'list';

/** `account`: account ID. `error`: error code. `from`, `to`: first and last day (UTC) on which the jobs finished. */
export type JobFilter = {
  view?: JobView | undefined;
  status?: JobStatus | undefined;
  engine?: JobEngine | undefined;
  tier?: JobTier | undefined;
  error?: string | undefined;
  account?: string | undefined;
  surface?: JobSurface | undefined;
  from?: string | undefined;
  to?: string | undefined;
};

export const jobPath = (id: string): string => generatePath(adminPages.job, { id });

/** Returns the path of the job list with a filter, such as for all failures with a certain error code. */
export function toJobsPath(filter: JobFilter): string {
  const chosen = Object.entries(filter).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return `${adminPages.jobs}?${new URLSearchParams(chosen)}#${listAnchor}`;
}
