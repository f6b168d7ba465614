import { useQueryClient } from '@tanstack/react-query';
import type { JobStatus } from '@uprez/contracts/policy/job-status';
import type { Dashboard } from '@uprez/contracts/schemas/dashboard';
import { useEffect } from 'react';
import { subscribeToJobs } from '../../lib/api/job-events.ts';
import { type ActivityPages, applyJobEvent, isOutdated } from './activity-pages.ts';
import { filteredKey } from './use-activity.ts';

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
