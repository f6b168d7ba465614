import { useQuery } from '@tanstack/react-query';
import { adminRoutes } from '@uprez/contracts/endpoints/routes-admin';
import { isFinalStatus } from '@uprez/contracts/policy/job-status';
import type { AdminJobDetails, JobOverview } from '@uprez/contracts/schemas/admin/jobs';
import type { WorkerPools } from '@uprez/contracts/schemas/admin/workers';

/** Polling interval while the tab is visible, in milliseconds. */
const refreshMs = 5_000;

export const overviewKey = [adminRoutes.adminJobOverview.path] as const;
/** Starts with the list's key, so a change to a job refetches both the job and the list. */
const jobKeyOf = (id: string) => [adminRoutes.adminListJobs.path, encodeURIComponent(id)] as const;

/** Query keys that are invalidated when a job changes. */
export const changedKeys = [[adminRoutes.adminListJobs.path], overviewKey] as const;

export const useOverview = () =>
  useQuery<JobOverview>({ queryKey: overviewKey, refetchOnMount: 'always', refetchInterval: refreshMs });

export const poolsKey = [adminRoutes.adminListPools.path] as const;

export const usePools = () =>
  useQuery<WorkerPools>({ queryKey: poolsKey, refetchOnMount: 'always', refetchInterval: refreshMs });

/** Loads a job, and polls it until it is finished. */
export const useJob = (id: string) =>
  useQuery<AdminJobDetails>({
    queryKey: jobKeyOf(id),
    refetchOnMount: 'always',
    refetchInterval: ({ state: { data } }) => data !== undefined && !isFinalStatus(data.status) && refreshMs,
  });
