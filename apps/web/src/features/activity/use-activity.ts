import { useInfiniteQuery } from '@tanstack/react-query';
import { routes } from '@uprez/contracts/endpoints/routes';
import { dashboardRules } from '@uprez/contracts/policy/dashboard-rules';
import type { JobStatus } from '@uprez/contracts/policy/job-status';
import { api } from '../../lib/api/api.ts';
import type { ActivityPage } from './activity-pages.ts';

/** Query keys of all lists of jobs, and of a filtered one. */
export const activityKey = [routes.listJobs.path, 'list'] as const;
export const filteredKey = (status: JobStatus | undefined) => [...activityKey, { status }] as const;

type Asked = { status: JobStatus | undefined; cursor: string | undefined; signal: AbortSignal };

async function fetchPage({ status, cursor, signal }: Asked): Promise<ActivityPage> {
  const query = { status, cursor, limit: dashboardRules.recentActivity };
  const { data: jobs, headers } = await api.listJobs({ query, signal });
  const next = headers.has('link') ? jobs.at(-1)?.id : undefined;
  return { jobs, next, total: Number(headers.get('x-total-count') ?? jobs.length) };
}

/** The jobs of the account, newest first, by page. Refetched on every visit. */
export const useActivity = (status: JobStatus | undefined) =>
  useInfiniteQuery({
    queryKey: filteredKey(status),
    queryFn: ({ pageParam, signal }) => fetchPage({ status, cursor: pageParam, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
    refetchOnMount: 'always',
  });
