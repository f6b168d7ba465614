import { useQuery } from '@tanstack/react-query';
import { adminRoutes } from '@uprez/contracts/endpoints/routes-admin';
import { isFinalStatus } from '@uprez/contracts/policy/job-status';
import type { AdminJobDetails, JobOverview } from '@uprez/contracts/schemas/admin/jobs';
import type { WorkerPools } from '@uprez/contracts/schemas/admin/workers';

/** Polling interval while the tab is visible. */
const refreshMs = 5_000;

export const overviewKey = [adminRoutes.adminJobOverview.path] as const;
/** Begins like the key of the list, so changes of jobs refetch both. */
const jobKeyOf = (id: string) => [adminRoutes.adminListJobs.path, encodeURIComponent(id)] as const;

/** Query keys that a change to a job affects. */
export const changedKeys = [[adminRoutes.adminListJobs.path], overviewKey] as const;

/** The state of the queue and of the workers. */
export const useOverview = () =>
  useQuery<JobOverview>({ queryKey: overviewKey, refetchOnMount: 'always', refetchInterval: refreshMs });

export const poolsKey = [adminRoutes.adminListPools.path] as const;

/** The pools of reserved workers, with their load. */
export const usePools = () =>
  useQuery<WorkerPools>({ queryKey: poolsKey, refetchOnMount: 'always', refetchInterval: refreshMs });

/** A job, refreshed until it is finished. */
export const useJob = (id: string) =>
  useQuery<AdminJobDetails>({
    queryKey: jobKeyOf(id),
    refetchOnMount: 'always',
    refetchInterval: ({ state: { data } }) => data !== undefined && !isFinalStatus(data.status) && refreshMs,
  });
