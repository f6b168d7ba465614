import type { JobSurface, JobTier, JobView } from '@uprez/contracts/policy/admin/tables';
import type { EngineName } from '@uprez/contracts/policy/images/engines';
import type { JobStatus } from '@uprez/contracts/policy/job-status';
import { adminPages } from '@uprez/contracts/texts/admin/admin-pages';
import { generatePath } from 'react-router';

/** The anchor of the list below the overview. */
export const listAnchor = 'list';

/** `account`: its ID. `error`: an error code. `from`, `to`: the first and the last day (UTC) that jobs finished on. */
export type JobFilter = {
  view?: JobView | undefined;
  status?: JobStatus | undefined;
  engine?: EngineName | undefined;
  tier?: JobTier | undefined;
  error?: string | undefined;
  account?: string | undefined;
  surface?: JobSurface | undefined;
  from?: string | undefined;
  to?: string | undefined;
};

/** Returns the path of a job's page. */
export const jobPath = (id: string): string => generatePath(adminPages.job, { id });

/** Returns the path of the job list with a filter, such as for all failures with an error code. */
export function toJobsPath(filter: JobFilter): string {
  const chosen = Object.entries(filter).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return `${adminPages.jobs}?${new URLSearchParams(chosen)}#${listAnchor}`;
}
