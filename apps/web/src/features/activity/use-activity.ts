import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { routes } from '@uprez/contracts/endpoints/routes';
import { dashboardRules } from '@uprez/contracts/policy/dashboard-rules';
import type { JobStatus } from '@uprez/contracts/policy/job-status';
import type { Dashboard } from '@uprez/contracts/schemas/dashboard';
import { useEffect } from 'react';
import { api } from '../../lib/api/api.ts';
import { subscribeToJobs } from '../../lib/api/job-events.ts';
import { type ActivityPage, type ActivityPages, applyJobEvent, isOutdated } from './activity-pages.ts';

export const activityKey = [routes.listJobs.path, 'list'] as const;
const filteredKey = (status: JobStatus | undefined) => [...activityKey, { status }] as const;

/** The jobs of the account, newest first, by page. Refetched on every visit. */
export const useActivity = (status: JobStatus | undefined) =>
  useInfiniteQuery({
    queryKey: filteredKey(status),
    queryFn: async ({ pageParam: cursor, signal }): Promise<ActivityPage> => {
      const query = { status, cursor, limit: dashboardRules.recentActivity };
      const { data: jobs, headers } = await api.listJobs({ query, signal });
      const next = headers.has('link') ? jobs.at(-1)?.id : undefined;
      return { jobs, next, total: Number(headers.get('x-total-count') ?? jobs.length) };
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
    refetchOnMount: 'always',
  });

/** Updates a list of jobs by events. Missed events are noticed by comparison with the newest jobs, which are polled. */
export function useLiveActivity(status: JobStatus | undefined, newest: Dashboard['recentActivity'] | undefined): void {
  const queryClient = useQueryClient();
  useEffect(
    () =>
      subscribeToJobs((job) =>
        queryClient.setQueryData<ActivityPages>(
          filteredKey(status),
          (data) => data && applyJobEvent(data, job, { status }),
        ),
      ),
    [queryClient, status],
  );
  useEffect(() => {
    const data = queryClient.getQueryData<ActivityPages>(filteredKey(status));
    if (newest && data && isOutdated(data, newest, { status }))
      void queryClient.invalidateQueries({ queryKey: filteredKey(status) });
  }, [queryClient, newest, status]);
}
